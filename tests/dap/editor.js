// editor.js: the extension in editors/vscode: its grammar, as the editor's own tokenizer reads it, on
// all kernels that come with fhec ($FHEC), and what its package.json says. Prints TAP.
'use strict';
const fs = require('fs');
const path = require('path');
const cp = require('child_process');
const Ajv = require('ajv');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const top = path.resolve(__dirname, '../..'), extension = path.join(top, 'editors/vscode');
const fhec = fs.realpathSync(process.env.FHEC);
const json = name => JSON.parse(fs.readFileSync(path.join(extension, name), 'utf8'));
const about = json('package.json');

let count = 0, bad = 0;
function same(name, got, wanted) {
    const a = JSON.stringify(got), b = JSON.stringify(wanted);
    console.log(`${a === b ? 'ok' : 'not ok'} ${++count} - ${name}`);
    if (a === b)
        return;
    bad = 1;
    console.log(`# got    ${a}\n# wanted ${b}`);
}

async function load() {
    const wasm = require.resolve('vscode-oniguruma').replace(/main\.js$/, 'onig.wasm');
    await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
    const registry = new textmate.Registry({
        onigLib: Promise.resolve({ createOnigScanner: p => new oniguruma.OnigScanner(p),
                                   createOnigString: s => new oniguruma.OnigString(s) }),
        loadGrammar: async () => json(about.contributes.grammars[0].path),
    });
    return registry.loadGrammar('source.fhec');
}

// The words of a text with their innermost scope, less its language.
function tokens(grammar, text) {
    const found = [];
    let state = textmate.INITIAL;
    for (const line of text.split('\n')) {
        const result = grammar.tokenizeLine(line, state);
        state = result.ruleStack;
        for (const t of result.tokens) {
            const word = line.slice(t.startIndex, t.endIndex);
            if (word.trim())
                found.push([word.trim(), t.scopes[t.scopes.length - 1].replace(/\.fhec$/, '')]);
        }
    }
    return found;
}

const lines = [
    ['.kernel sums // all', [['.kernel', 'keyword.control.directive'], ['sums', 'entity.name.function'],
                             ['// all', 'comment.line.double-slash']]],
    ['again:', [['again', 'entity.name.label'], [':', 'punctuation.separator.label']]],
    ['    IADD3.X R5, P0, R4.reuse, -0x7, RZ ;',
     [['IADD3', 'keyword.mnemonic'], ['.X', 'support.type.modifier'],
      ['R5', 'variable.language.register'], [',', 'punctuation.separator'],
      ['P0', 'variable.language.predicate'], [',', 'punctuation.separator'],
      ['R4', 'variable.language.register'], ['.reuse', 'support.type.modifier'],
      [',', 'punctuation.separator'], ['-', 'keyword.operator'], ['0x7', 'constant.numeric.hex'],
      [',', 'punctuation.separator'], ['RZ', 'variable.language.register'],
      [';', 'punctuation.terminator']]],
    ['@!P1 BRA again ;',
     [['@', 'keyword.operator.guard'], ['!', 'keyword.operator.logical'],
      ['P1', 'variable.language.predicate'], ['BRA', 'keyword.mnemonic'], ['again', 'variable.other'],
      [';', 'punctuation.terminator']]],
    ['    [B0-----:R-:W1:Y:S02] LDG.E R6, [R2.64+4] ;',
     [['[', 'punctuation.definition.control'], ['B0-----', 'storage.modifier.wait'],
      [':', 'punctuation.separator'], ['R-', 'storage.modifier.scoreboard'],
      [':', 'punctuation.separator'], ['W1', 'storage.modifier.scoreboard'],
      [':', 'punctuation.separator'], ['Y', 'storage.modifier.yield'], [':', 'punctuation.separator'],
      ['S02', 'storage.modifier.stall'], [']', 'punctuation.definition.control'],
      ['LDG', 'keyword.mnemonic'], ['.E', 'support.type.modifier'], ['R6', 'variable.language.register'],
      [',', 'punctuation.separator'], ['[', 'punctuation.section.brackets'],
      ['R2', 'variable.language.register'], ['.64', 'support.type.modifier'], ['+', 'keyword.operator'],
      ['4', 'constant.numeric.decimal'], [']', 'punctuation.section.brackets'],
      [';', 'punctuation.terminator']]],
    ['.macro ADD to, by=1', [['.macro', 'keyword.control.directive'], ['ADD', 'entity.name.function.macro'],
                             ['to', 'variable.parameter'], [',', 'source'], ['by', 'variable.parameter'],
                             ['=', 'keyword.operator'], ['1', 'constant.numeric.decimal']]],
    ['    IADD3 \\to, \\to, UR4, RZ ;',
     [['IADD3', 'keyword.mnemonic'], ['\\to', 'variable.parameter.macro'], [',', 'punctuation.separator'],
      ['\\to', 'variable.parameter.macro'], [',', 'punctuation.separator'],
      ['UR4', 'variable.language.register'], [',', 'punctuation.separator'],
      ['RZ', 'variable.language.register'], [';', 'punctuation.terminator']]],
    ['/* a\nMOV */ S2R R0, SR_TID.X ;',
     [['/*', 'comment.block'], ['a', 'comment.block'], ['MOV', 'comment.block'], ['*/', 'comment.block'],
      ['S2R', 'keyword.mnemonic'], ['R0', 'variable.language.register'], [',', 'punctuation.separator'],
      ['SR_TID.X', 'variable.language.special'], [';', 'punctuation.terminator']]],
    ['.if LOGN >= 16', [['.if', 'keyword.control.conditional'], ['LOGN', 'variable.other'],
                        ['>=', 'keyword.operator'], ['16', 'constant.numeric.decimal']]],
    ['.kernel k # all of it', [['.kernel', 'keyword.control.directive'], ['k', 'entity.name.function'],
                               ['# all of it', 'comment.line.number-sign']]],
    ['(* a remark *) EXIT ;', [['(*', 'comment.block.remark'], ['a remark', 'comment.block.remark'],
                               ['*)', 'comment.block.remark'], ['EXIT', 'keyword.mnemonic'],
                               [';', 'punctuation.terminator']]],
    ['.equ STEP, 4', [['.equ', 'keyword.control.directive'], ['STEP', 'variable.other.constant'],
                      [',', 'punctuation.separator'], ['4', 'constant.numeric.decimal']]],
    ['.reg sum = R4', [['.reg', 'keyword.control.directive'], ['sum', 'variable.other.register'],
                       ['=', 'keyword.operator'], ['R4', 'variable.language.register']]],
    ['.ifdef WIDE', [['.ifdef', 'keyword.control.conditional'], ['WIDE', 'variable.other.constant']]],
    ['.error "no \\"wide\\" one"', [['.error', 'keyword.control.directive'], ['"', 'string.quoted.double'],
        ['no', 'string.quoted.double'], ['\\"', 'constant.character.escape'], ['wide', 'string.quoted.double'],
        ['\\"', 'constant.character.escape'], ['one', 'string.quoted.double'], ['"', 'string.quoted.double']]],
    ['.test expect x golden mul 3 hash 58f048c0be33c5f2d3f24bcfe559d8ca',
     [['.test', 'keyword.control.directive'], ['expect', 'keyword.other.test'], ['x', 'variable.other.test'],
      ['golden', 'variable.other.test'], ['mul', 'variable.other.test'], ['3', 'constant.numeric.decimal'],
      ['hash', 'variable.other.test'], ['58f048c0be33c5f2d3f24bcfe559d8ca', 'constant.other.hash']]],
    ['    BSSY B0, done ;', [['BSSY', 'keyword.mnemonic'], ['B0', 'variable.language.barrier'],
                             [',', 'punctuation.separator'], ['done', 'variable.other'],
                             [';', 'punctuation.terminator']]],
    ['    MOV R1, c[0x0][0x160] ;',
     [['MOV', 'keyword.mnemonic'], ['R1', 'variable.language.register'], [',', 'punctuation.separator'],
      ['c', 'support.variable.constant-bank'], ['[', 'punctuation.section.brackets'],
      ['0x0', 'constant.numeric.hex'], [']', 'punctuation.section.brackets'],
      ['[', 'punctuation.section.brackets'], ['0x160', 'constant.numeric.hex'],
      [']', 'punctuation.section.brackets'], [';', 'punctuation.terminator']]],
    ['.word bitrev(3, 4)', [['.word', 'keyword.control.directive'], ['bitrev', 'support.function'],
        ['(', 'punctuation.section.brackets'], ['3', 'constant.numeric.decimal'], [',', 'punctuation.separator'],
        ['4', 'constant.numeric.decimal'], [')', 'punctuation.section.brackets']]],
    ['    add_one R2', [['add_one', 'entity.name.function.macro'], ['R2', 'variable.language.register']]],
    ['.include "lib/a.sass"', [['.include', 'keyword.control.directive'], ['"', 'string.quoted.double'],
                               ['lib/a.sass', 'string.quoted.double'], ['"', 'string.quoted.double']]],
];

function sources(folder) {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
        const file = path.join(folder, entry.name);
        return entry.isDirectory() ? sources(file) : entry.name.endsWith('.sass') ? [file] : [];
    });
}

// Every mnemonic of the instruction set at the beginning of a statement is one for the grammar; no
// word of any line is without a scope.
function check_sources(grammar) {
    const isa = JSON.parse(cp.execFileSync(fhec, ['isa', '--json'], { maxBuffer: 1 << 28 }));
    const list = isa.instructions || isa.forms || isa;
    const mnemonics = new Set(list.map(i => (i.mnemonic || i.name).split('.')[0]));
    let known = 0;
    const wrong = [], bare = [];
    for (const file of [...sources(path.join(top, 'programs')), ...sources(path.join(top, 'tests/kernels'))]) {
        let state = textmate.INITIAL;
        fs.readFileSync(file, 'utf8').split('\n').forEach((line, number) => {
            const result = grammar.tokenizeLine(line, state);
            state = result.ruleStack;
            const statement = /^\s*(?:@!?[\w\\$]+\s+)?([A-Z][A-Z0-9_]*)(?=[.\s;])/.exec(line);
            const begin = statement && statement.index + statement[0].length - statement[1].length;
            for (const t of result.tokens) {
                const word = line.slice(t.startIndex, t.endIndex);
                const where = `${path.basename(file)}:${number + 1}: ${word}`;
                if (/\w/.test(word) && t.scopes.length === 1)
                    bare.push(where);
                if (statement && t.startIndex === begin && mnemonics.has(statement[1])) {
                    known++;
                    if (!t.scopes.some(s => /^(keyword\.mnemonic|comment)/.test(s)))
                        wrong.push(where);
                }
            }
        });
    }
    same('mnemonics of all kernels are told', wrong.slice(0, 5), []);
    same('there were some thousand', known > 1000, true);
    same('no word of all kernels is without a scope', bare.slice(0, 5), []);
}

// Every kind of token that the grammar knows stands in one of the lines above.
function check_kinds() {
    const kinds = new Set();
    (function collect(rule) {
        if (rule && typeof rule === 'object') {
            if (typeof rule.name === 'string' && rule.name.endsWith('.fhec'))
                kinds.add(rule.name.replace(/\.fhec$/, ''));
            Object.values(rule).forEach(collect);
        }
    })(json(about.contributes.grammars[0].path));
    kinds.delete('meta.control'); // around others
    const told = new Set(lines.flatMap(([, wanted]) => wanted.map(([, kind]) => kind)));
    same('every kind of token is told', [...kinds].filter(kind => !told.has(kind)), []);
}

function check_package() {
    const { contributes } = about;
    const named = [about.main, ...contributes.languages.map(l => l.configuration),
                   ...contributes.grammars.map(g => g.path), ...contributes.snippets.map(s => s.path)];
    same('files that it names are there', named.filter(n => !fs.existsSync(path.join(extension, n))), []);
    const { properties } = contributes.debuggers[0].configurationAttributes.launch;
    same('launch attributes', Object.keys(properties).sort(),
         ['args', 'checks', 'command', 'cwd', 'engine', 'port', 'program', 'simd', 'stopOnEntry']);
    // What is contributed as a launch configuration is one.
    const [debug] = contributes.debuggers, { launch } = debug.configurationAttributes;
    const holds = new Ajv({ strict: false }).compile({ type: 'object', required: launch.required, additionalProperties: false,
        properties: { type: { const: debug.type }, request: { const: 'launch' }, name: { type: 'string' }, ...properties } });
    same('contributed configurations are of their schema',
         [...debug.initialConfigurations, ...debug.configurationSnippets.map(s => s.body)].filter(c => !holds(c)), []);
    same('a schema that sees what is wrong', [holds({ args: 'x' }), holds({ stopOnEnty: true })], [false, false]);
    const snippets = json('snippets/fhec.json');
    same('snippets have bodies', Object.values(snippets).every(s => s.prefix && s.body.length), true);
    const folding = json('language-configuration.json').folding.markers;
    same('folding begins and ends', [new RegExp(folding.start).test('.kernel k'),
                                     new RegExp(folding.end).test('.end')], [true, true]);
    // What fhec as says is what the problem matcher reads.
    const pattern = contributes.problemPatterns[0];
    const said = cp.spawnSync(fhec, ['as', '-'], { input: '.target sm_80\n.kernel k\n    MOVE R1, R2 ;\n.end\n',
                                                   encoding: 'utf8' }).stderr;
    const found = said.split('\n').map(l => new RegExp(pattern.regexp).exec(l)).filter(m => m);
    same('an error of the assembler', found.map(m => [m[pattern.line], m[pattern.column],
         m[pattern.severity], m[pattern.code], /MOVE/.test(m[pattern.message])]),
         [['3', '5', 'error', 'E010', true]]);
}

load().then(grammar => {
    for (const [text, wanted] of lines)
        same(text.trim().split('\n')[0], tokens(grammar, text), wanted);
    check_sources(grammar);
    check_kinds();
    check_package();
    console.log(`1..${count}`);
    process.exit(bad);
});
