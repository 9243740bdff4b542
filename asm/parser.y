/*
 * parser.y - tokens to one statement: labels, then an instruction, a directive or the call of a
 * macro. The input ends at each statement's end (tokens.c), so recovery is the caller's: it drops
 * the rest and starts again. What operands mean is in expression.c and operand_forms.c; no mnemonic
 * is named here.
 */
%define api.pure full
%define api.prefix {fh_yy}
%define api.token.prefix {FH_Y_}
%define api.value.type {struct fh_value *}
%define api.location.type {struct fh_span}
%define parse.error custom
%locations
%expect 0
%param {struct fh_asm *a}

%code top {
#include "parsing.h"
#include "asm.h"
#include "asm_memory.h"
#include "control_prefix.h"
#include "expression.h"
#include "labels.h"
#include "operand_forms.h"
#include "operator_chain.h"
#include "section.h"
#include "short_statement.h"
#include "syntax.h"
}

%code {
/* The stack is fixed: it never grows, so parsing allocates nothing, and what does not fit is an
 * expression that nobody writes. */
#define YYINITDEPTH 238
#define YYMAXDEPTH 238
#define YYLLOC_DEFAULT(here, rhs, n)                                                               \
    do {                                                                                           \
        (here).begin = (n) ? YYRHSLOC(rhs, 1).begin : YYRHSLOC(rhs, 0).end;                        \
        (here).end = YYRHSLOC(rhs, n).end; /* which for n = 0 is where the one before ends */      \
    } while (0)

#define SAME(name)                                                                                 \
    _Static_assert((int)FH_Y_##name == (int)FH_T_##name, "the tokens of token.h, in its order");
FH_TOKENS(SAME)
#undef SAME

static int fh_yylex(struct fh_value **value, struct fh_span *at, struct fh_asm *a);
static void fh_yyerror(struct fh_span *at, struct fh_asm *a, const char *message);
static void add_glued(struct fh_asm *a, struct fh_value *v);
}

%token NUMBER "a number"
%token NAME "a name"
%token DOTTED "a name with a dot before it"
%token REGISTER "a register"
%token RANGE "a range of registers"
%token SYMBOL "a constant's name"
%token STRING "a string"
%token MNEMONIC "a mnemonic"
%token DIRECTIVE "a directive"
%token CALL "a macro"
%token LABEL "a label"
%token LOCAL_LABEL "a label with a number"
%token CONTROL "a control prefix"
%token DEFINES "a new name"
%token RAW "text"
%token CONSTANT "`c[`"
%token DESCRIBED "`cx[`"
%token DESCRIPTOR "`desc[`"
%token HALF "`32@lo` or `32@hi`"
%token SREL "`@srel`"
%token GENERIC "`generic(`"
%token SHL "`<<`" SHR "`>>`" LE "`<=`" GE "`>=`" EQ "`==`" NE "`!=`" LAND "`&&`" LOR "`||`"
/* These stay between lexer and tokens.c. */
%token WORD NEWLINE SEMICOLON END_OF_TEXT BAD_BYTE OPEN_COMMENT OPEN_STRING

%%

statement:
    labels body
    ;

labels:
    %empty
    | labels LABEL          { fh_label_here(a, $2); }
    | labels LOCAL_LABEL    { fh_local_label_define(a, $2); }
    ;

body:
    %empty
    | control guard MNEMONIC    { a->st.kind = FH_INSTRUCTION; }
    | control guard MNEMONIC operand_list   { a->st.kind = FH_INSTRUCTION; }
    | DIRECTIVE arguments   { a->st.kind = FH_DIRECTIVE; }
    | CALL raw              { a->st.kind = FH_CALL; }
    ;

control:
    %empty
    | CONTROL               { fh_control_prefix(a, $1); }
    ;

guard:
    %empty
    | '@' unary             { a->st.guard = $2; a->st.begin = @$.begin; }
    ;

operand_list:
    operand
    | operand_list ',' operand
    ;

operand:
    expr                    { fh_add_argument(a, $1); }
    | expr glued            { fh_add_argument(a, $1); add_glued(a, $2); }
    | '|' unary '|'         { fh_value_absolute(a, $2, @$);
                              fh_add_argument(a, $2); }
    | '|' unary '|' DOTTED  { fh_value_absolute(a, $2, @$);
                              fh_value_suffix(a, $2, $4, @$);
                              fh_add_argument(a, $2); }
    | '-' '|' unary '|' DOTTED {
                              fh_value_absolute(a, $3, @$);
                              fh_value_suffix(a, $3, $5, @$);
                              fh_value_unary(a, $3, FH_OP_NEG, @$);
                              fh_add_argument(a, $3); }
    | '-' '|' unary '|'     { fh_value_absolute(a, $3, @$);
                              fh_value_unary(a, $3, FH_OP_NEG, @$);
                              fh_add_argument(a, $3); }
    | '{' set '}'           { if ($2->kind == FH_V_NUMBER) { /* else it is wrong */
                                  $2->kind = FH_V_SET;
                                  $2->at = @$;
                              }
                              fh_add_argument(a, $2); }
    ;

/* Numbers below 64, as one with their bits. */
set:
    expr                    { fh_value_set(a, $1, NULL, @$); }
    | set ',' expr          { fh_value_set(a, $1, $3, @$); }
    ;

/* "RET.REL.NODEC R2 0x0": a second operand with a blank before it instead of a comma. */
glued:
    NUMBER
    | NAME
    | '`' '(' label ')'     { $$ = $3; }
    ;

label:
    NAME
    | DOTTED
    ;

raw:
    %empty
    | RAW
    ;

arguments:
    %empty
    | RAW
    | argument_list
    ;

argument_list:
    argument
    | argument_list ',' argument
    ;

argument:
    operand
    | STRING                { fh_add_argument(a, $1); }
    | defines               { fh_add_argument(a, $1); }
    | defines '=' { fh_add_argument(a, $1); } operand
    ;

defines:
    DEFINES
    | DEFINES '[' expr ':' expr ']' { $1->at = @$;
                              $1->bounds = fh_value_number(a, $3, &$1->number) &&
                                           fh_value_number(a, $5, &$1->last); }
    ;

expr:
    chain                   { $$ = fh_chain_end(a); }
    | condition expr ':' expr   { $$ = $1; fh_value_select($$, $2, $4, @$); }
    ;

condition:
    chain '?'               { $$ = fh_chain_end(a); }
    ;

/* Which operator binds more strongly is in operators.h. */
chain:
    unary                   { fh_chain_begin(a, $1, @1); }
    | chain '+' unary       { fh_chain_add(a, FH_OP_ADD, $3, @3); }
    | chain '-' unary       { fh_chain_add(a, FH_OP_SUB, $3, @3); }
    | chain '*' unary       { fh_chain_add(a, FH_OP_MUL, $3, @3); }
    | chain '/' unary       { fh_chain_add(a, FH_OP_DIV, $3, @3); }
    | chain '%' unary       { fh_chain_add(a, FH_OP_MOD, $3, @3); }
    | chain SHL unary       { fh_chain_add(a, FH_OP_SHL, $3, @3); }
    | chain SHR unary       { fh_chain_add(a, FH_OP_SHR, $3, @3); }
    | chain '<' unary       { fh_chain_add(a, FH_OP_LT, $3, @3); }
    | chain '>' unary       { fh_chain_add(a, FH_OP_GT, $3, @3); }
    | chain LE unary        { fh_chain_add(a, FH_OP_LE, $3, @3); }
    | chain GE unary        { fh_chain_add(a, FH_OP_GE, $3, @3); }
    | chain EQ unary        { fh_chain_add(a, FH_OP_EQ, $3, @3); }
    | chain NE unary        { fh_chain_add(a, FH_OP_NE, $3, @3); }
    | chain '&' unary       { fh_chain_add(a, FH_OP_AND, $3, @3); }
    | chain '^' unary       { fh_chain_add(a, FH_OP_XOR, $3, @3); }
    | chain '|' unary       { fh_chain_add(a, FH_OP_OR, $3, @3); }
    | chain LAND unary      { fh_chain_add(a, FH_OP_LAND, $3, @3); }
    | chain LOR unary       { fh_chain_add(a, FH_OP_LOR, $3, @3); }
    ;

unary:
    NUMBER
    | NAME
    | DOTTED
    | REGISTER
    | RANGE
    | SYMBOL
    | primary
    | suffixed
    | signed
    ;

suffixed:
    word DOTTED             { fh_value_suffix(a, $1, $2, @$); }
    | word SREL             { fh_value_srel($1, @$); }
    | primary DOTTED          { fh_value_suffix(a, $1, $2, @$); }
    | primary SREL            { fh_value_srel($1, @$); }
    ;

signed:
    '-' unary               { $$ = $2; fh_value_unary(a, $$, FH_OP_NEG, @$); }
    | '+' unary             { $$ = $2; $$->at = @$; }
    | '~' unary             { $$ = $2; fh_value_unary(a, $$, FH_OP_INV, @$); }
    | '!' unary             { $$ = $2; fh_value_unary(a, $$, FH_OP_NOT, @$); }
    ;

word:
    NUMBER
    | NAME
    | DOTTED
    | REGISTER
    | RANGE
    | SYMBOL
    ;

primary:
    RANGE '[' expr ']'      { fh_value_index(a, $1, $3, @$); }
    | SYMBOL '[' expr ']'   { fh_value_index(a, $1, $3, @$); }
    | '(' expr ')'          { $$ = $2; $$->at = @$; }
    | '`' '(' label ')'     { $$ = $3; $$->at = @$; }
    | HALF '(' expr ')'     { $$ = $3; fh_value_half(a, $$, $1, @$); }
    | GENERIC expr ')'      { $$ = $2; fh_value_generic($$, @$); }
    | CONSTANT expr ']' '[' expr ']'    { $$ = $5; fh_value_constant(a, $$, $2, @$); }
    | DESCRIBED expr ']' '[' expr ']'   { $$ = $5; fh_value_described($$, @$); }
    | '[' expr ']'          { $$ = $2; fh_value_address(a, $$, NULL, @$); }
    | DESCRIPTOR expr ']' '[' expr ']'  { $$ = $5; fh_value_address(a, $$, $2, @$); }
    ;

%%

static int fh_yylex(struct fh_value **value, struct fh_span *at, struct fh_asm *a) {
    struct fh_tokens *t = &a->tokens;
    a->chains.ended = false;
    if (t->ahead_taken == t->ahead_count)
        return fh_next_token(a, value, at);
    const struct fh_parser_token *token = &t->ahead[t->ahead_taken++];
    *value = token->value;
    *at = token->at;
    return token->kind;
}

/* A second operand with a blank before it. Whether the instruction has such a one is for fit.c. */
static void add_glued(struct fh_asm *a, struct fh_value *v) {
    if (a->st.is_directive)
        fh_missing_comma(a, v->at);
    v->glued = true;
    fh_add_argument(a, v);
}

/* A kind of token, as a message calls it. */
static const char *kind_name(struct fh_asm *a, yysymbol_kind_t kind) {
    const char *name = yysymbol_name(kind);
    if (kind == YYSYMBOL_YYEOF)
        return fh_end_name(a);
    return name[0] == '\'' ? fh_text(a, "`%c`", name[1]) : name;
}

/* ", expected ..." by what the grammar allows, if that is little enough to be of use: behind an
 * operand all operators are. The end of the line alone is what is left when the parser has already
 * settled for the shortest reading. */
static const char *allowed(const yypcontext_t *context, struct fh_asm *a) {
    enum { MOST = 4 };
    yysymbol_kind_t expected[MOST];
    int count = yypcontext_expected_tokens(context, expected, MOST);
    const char *list = "";
    if (a->chains.ended || (count == 1 && expected[0] == YYSYMBOL_YYEOF))
        count = 0;
    for (int i = 0; i < count; i++)
        list = fh_text(a, "%s%s%s", list, i == 0 ? ", expected " : i + 1 == count ? " or " : ", ",
                       kind_name(a, expected[i]));
    return list;
}

static int yyreport_syntax_error(const yypcontext_t *context, struct fh_asm *a) {
    yysymbol_kind_t token = yypcontext_token(context);
    const char *list = allowed(context, a);
    a->st.bad = true;
    if (token != YYSYMBOL_YYEMPTY)
        fh_report_syntax(a, *yypcontext_location(context), token == YYSYMBOL_YYEOF, list);
    return 0;
}

/* Only for a full stack. */
static void fh_yyerror(struct fh_span *at, struct fh_asm *a, const char *message) {
    (void)message;
    fh_report(a, FH_D_TOO_DEEP, *at, NULL, NULL, NULL);
    a->st.bad = true;
}

bool fh_parse_statement(struct fh_asm *a) {
    return fh_short_statement(a) || fh_yyparse(a) == 0;
}
