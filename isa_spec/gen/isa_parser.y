/*
 * isa_parser.y - grammar of the instruction description: lines that add to the block that began
 * last. After an error the rest of the line is skipped, so that one run shows all errors.
 */
%code requires {
#include "parse.h"
}

%define api.pure full
%define api.prefix {isa_}
%define parse.error detailed
%define parse.lac full
%locations
%expect 0
%param {void *scanner}
%parse-param {struct parse *p}

%union {
    const char *text;
    uint64_t number;
    struct names names;
    struct numbers numbers;
    struct choices *choices;
    struct {
        struct fix *v;
        size_t n;
    } fixes;
    struct fix fix;
}

%token <text> IDENT "name" STRING "text in quotes" BITS "@bits" TEXT_TOKEN "text" BODY "{ C }"
%token <text> UNKNOWN "unknown word"
%token <number> NUMBER "number"
%token K_INSN "insn" K_KIND "kind" K_CLASS "class" K_FEATURE "feature" K_FORM "form"
%token K_FIXED "fixed" K_SYNTAX "syntax" K_MOD "mod" K_FIELD "field" K_IMM "imm" K_REGS "regs"
%token K_DERIVED "derived" K_CHECK "check" K_DOES "does" K_LIKE "like" K_HANDLER "handler"
%token K_NOTE "note" K_SPECIALISE "specialise" K_SLOT "slot" K_UNIFORM_GUARD "uniform_guard"
%token K_PREFER "prefer" K_ALLOW "allow" K_ENUM "enum" K_SPECIAL "special" K_LAYOUT "layout"
%token K_HIDDEN "hidden" K_PARTS "parts" K_UNSUPPORTED "unsupported" K_PIPE "pipe" K_ISSUE "issue"
%token K_CHOICE "choice" K_OUTSIDE "outside" K_ACCESS "access"

%type <names> names words
%type <numbers> numbers
%type <choices> choices choice_list
%type <fixes> fixes brackets
%type <fix> fix
%type <text> choice_text

%code {
int isa_lex(ISA_STYPE *value, ISA_LTYPE *location, void *scanner);

static void isa_error(ISA_LTYPE *at, void *scanner, struct parse *p, const char *message) {
    (void)scanner;
    if (p->then == 'b')
        p->then = 0;
    if (!p->told)
        error_at((struct at){p->file, at->first_line}, "%s", message);
    p->told = false;
}
}

%%

file: %empty | file line;

line: K_INSN IDENT STRING          { act_insn(p, @1.first_line, $2, $3); }
    | K_KIND IDENT                 { act_word(p, @1.first_line, "kind", $2); }
    | K_CLASS IDENT                { act_word(p, @1.first_line, "class", $2); }
    | K_HANDLER IDENT              { act_word(p, @1.first_line, "handler", $2); }
    | K_UNIFORM_GUARD              { act_word(p, @1.first_line, "uniform_guard", ""); }
    | K_FEATURE IDENT              { act_feature(p, @1.first_line, $2, NULL); }
    | K_FEATURE IDENT STRING       { act_feature(p, @1.first_line, $2, $3); }
    | K_FORM form_list
    | K_FIXED fixes                { act_fixed(p, @1.first_line, $2.v, $2.n); }
    | K_SYNTAX TEXT_TOKEN          { act_syntax(p, @1.first_line, $2); }
    | K_MOD mod mod_tail
    | K_FIELD field_head parts field_default
    | K_IMM style_list
    | K_PARTS words                { act_parts(p, @1.first_line, $2); }
    | K_UNSUPPORTED STRING         { act_text(p, @1.first_line, "unsupported", $2); }
    | K_REGS TEXT_TOKEN            { act_regs(p, @1.first_line, $2); }
    | K_DERIVED IDENT BODY         { act_derived(p, @3.first_line, $2, $3); }
    | K_CHECK STRING ':' TEXT_TOKEN { act_check(p, @4.first_line, $2, $4); }
    | K_DOES BODY                  { act_text(p, @2.first_line, "does", $2); }
    | K_DOES IDENT IDENT             { act_text(p, @1.first_line, "like", $3); }
    | K_LIKE IDENT                 { act_text(p, @1.first_line, "like", $2); }
    | K_NOTE TEXT_TOKEN            { act_text(p, @1.first_line, "note", $2); }
    | K_CHOICE TEXT_TOKEN          { act_choice(p, @1.first_line, $2); }
    | K_SPECIALISE special_axes
    | K_SLOT IDENT IDENT           { act_slot(p, @1.first_line, $2, $3); }
    | K_PREFER IDENT IDENT IDENT   { act_prefer(p, @1.first_line, $2, $4); }
    | K_ALLOW IDENT '/' IDENT IDENT IDENT '/' IDENT
          { act_allow(p, @1.first_line, print("%s/%s", $2, $4), print("%s/%s", $6, $8)); }
    | K_ENUM IDENT choices         { act_enum(p, @1.first_line, $2, $3); }
    | K_SPECIAL '{' specials '}'
    | K_PIPE pipe_head '{' cycles '}'
    | K_PIPE pipe_head IDENT       { act_pipe_word(p, @3.first_line, $3, NULL); }
    | K_PIPE pipe_head IDENT IDENT { act_pipe_word(p, @3.first_line, $3, $4); }
    | K_ISSUE TEXT_TOKEN           { act_issue(p, @1.first_line, $2); }
    | K_ACCESS TEXT_TOKEN          { act_access(p, @1.first_line, $2); }
    | K_OUTSIDE STRING             { act_outside(p, @1.first_line, $2); } '{' outsides '}'
    | K_LAYOUT layout
    | K_LAYOUT layout ',' lanes
    | error;

names: IDENT                       { $$ = (struct names){0}; add_name(&$$, $1); }
     | names ',' IDENT             { $$ = $1; add_name(&$$, $3); };

special_axes: special_axis | special_axes special_axis;

special_axis: IDENT                { act_specialise(p, @1.first_line, $1, (struct numbers){0}); }
            | IDENT '=' numbers    { act_specialise(p, @1.first_line, $1, $3); };

numbers: NUMBER                    { $$ = (struct numbers){0}; add_number(&$$, (uint32_t)$1); }
       | numbers '/' NUMBER        { $$ = $1; add_number(&$$, (uint32_t)$3); };

words: IDENT                       { $$ = (struct names){0}; add_name(&$$, $1); }
     | words IDENT                 { $$ = $1; add_name(&$$, $2); };

form_list: form | form_list ',' form;
form: IDENT NUMBER                 { act_form(p, @1.first_line, $1, $2, NULL, 0); }
    | IDENT NUMBER brackets        { act_form(p, @1.first_line, $1, $2, $3.v, $3.n); };
brackets: '[' fixes ']'            { $$ = $2; };

fixes: fix           { $$.v = more(NULL, 0, sizeof *$$.v); $$.n = 1; $$.v[0] = $1; }
     | fixes ',' fix { $$.v = more($1.v, $1.n, sizeof *$$.v); $$.n = $1.n + 1; $$.v[$1.n] = $3; };
fix: NUMBER '=' NUMBER
         { $$ = (struct fix){act_bits(p, @1.first_line, print("%u", (unsigned)$1)), $3}; }
   | NUMBER ':' NUMBER '=' NUMBER
         { $$ = (struct fix){act_bits(p, @1.first_line, print("%u:%u", (unsigned)$1,
                                                              (unsigned)$3)), $5}; };

mod: IDENT BITS                    { act_mod(p, @1.first_line, $1, $2, NULL, NULL); }
   | IDENT BITS IDENT              { act_mod(p, @1.first_line, $1, $2, NULL, $3); }
   | IDENT BITS choices            { act_mod(p, @1.first_line, $1, $2, $3, NULL); }
   | IDENT BITS STRING {
         struct choices *c = more(NULL, 0, sizeof *c);
         c->v = more(NULL, 0, sizeof *c->v);
         c->v = more(c->v, 1, sizeof *c->v);
         c->n = 2;
         c->v[0] = (struct choice){0, ""};
         c->v[1] = (struct choice){1, $3};
         act_mod(p, @1.first_line, $1, $2, c, NULL);
     };
mod_tail: %empty
        | mod_tail '=' NUMBER      { act_mod_default(p, $3); }
        | mod_tail K_HIDDEN        { act_mod_hidden(p); };

choices: '{' choice_list '}'       { $$ = $2; };
choice_list: NUMBER choice_text {
                 $$ = more(NULL, 0, sizeof *$$);
                 $$->at = (struct at){p->file, @1.first_line};
                 $$->v = more(NULL, 0, sizeof *$$->v);
                 $$->v[$$->n++] = (struct choice){(uint32_t)$1, $2};
             }
           | choice_list ',' NUMBER choice_text {
                 $$ = $1;
                 $$->v = more($$->v, $$->n, sizeof *$$->v);
                 $$->v[$$->n++] = (struct choice){(uint32_t)$3, $4};
             };
choice_text: STRING | '-'          { $$ = ""; };

field_head: IDENT { act_field(p, @1.first_line, (struct names){0}, $1); }
          | names ':' IDENT { act_field(p, @1.first_line, $1, $3); };
parts: %empty | parts part;
part: IDENT                        { act_part(p, @1.first_line, $1, NULL); }
    | IDENT BITS                   { act_part(p, @1.first_line, $1, $2); }
    | IDENT NUMBER                 { act_part(p, @1.first_line, $1, print("%u", (unsigned)$2)); };
field_default: %empty
    | '=' NUMBER     { act_field_default(p, @1.first_line, false, NULL, (int64_t)$2); }
    | '=' '-' NUMBER { act_field_default(p, @1.first_line, false, NULL, -(int64_t)$3); }
    | '=' IDENT      { act_field_default(p, @1.first_line, false, $2, 0); }
    | '=' '!' IDENT  { act_field_default(p, @1.first_line, true, $3, 0); };

style_list: style | style_list ',' style;
style: IDENT IDENT                 { act_imm(p, @1.first_line, $1, $2); };

layout: IDENT names NUMBER words '/' words
            { act_layout(p, @1.first_line, $1, $2, $3, $4, $6); };
lanes: lanes_part | lanes lanes_part;
lanes_part: IDENT NUMBER           { act_layout_lanes(p, @1.first_line, $1, $2); };

outsides: outside | outsides ',' outside;
outside: IDENT                     { act_outside_name(p, @1.first_line, 0, $1); }
       | NUMBER IDENT              { act_outside_name(p, @1.first_line, $1, $2); };

specials: NUMBER IDENT             { act_special(p, $1, $2); }
        | specials ',' NUMBER IDENT { act_special(p, $3, $4); };

pipe_head: IDENT IDENT             { act_pipe(p, @1.first_line, $1, $2, 1); }
         | IDENT IDENT NUMBER      { act_pipe(p, @1.first_line, $1, $2, $3); };
cycles: ready | cycles ',' ready;
ready: IDENT NUMBER                { act_pipe_cycles(p, @1.first_line, $1, $2, $2); }
     | IDENT NUMBER NUMBER         { act_pipe_cycles(p, @1.first_line, $1, $2, $3); };
