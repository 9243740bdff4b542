// lsp_client.js FOLDER: tests of `fhec lsp` ($FHEC) with vscode-languageserver-protocol. Prints TAP.
// FOLDER is an empty one, but for a copy of programs/.
'use strict';
const { spawn, execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const lsp = require('vscode-languageserver-protocol/node');

const fhec = process.env.FHEC, folder = fs.realpathSync(process.argv[2]);
let count = 0, bad = 0;
function same(name, got, wanted) {
    const a = JSON.stringify(got), b = JSON.stringify(wanted);
    console.log(`${a === b ? 'ok' : 'not ok'} ${++count} - ${name}`);
    if (a !== b) {
        bad = 1;
        console.log(`# got    ${a}\n# wanted ${b}`);
    }
}
function run(args, input) {
    return execFileSync(fhec, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
}
function write(name, text) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return pathToFileURL(file).href;
}
// The position of the n-th `what` in a text, `more` units behind its beginning.
function at(text, what, more = 0, n = 0) {
    let i = -1;
    for (let k = 0; k <= n; k++)
        i = text.indexOf(what, i + 1);
    if (i < 0)
        throw new Error(`no ${what}`);
    const before = text.slice(0, i + more).split('\n');
    return { line: before.length - 1, character: before[before.length - 1].length };
}
function offset(text, p) {
    const lines = text.split('\n');
    return lines.slice(0, p.line).reduce((sum, l) => sum + l.length + 1, 0) + p.character;
}
function apply(text, edits) {
    const order = [...edits].sort((x, y) => offset(text, y.range.start) - offset(text, x.range.start));
    for (const e of order)
        text = text.slice(0, offset(text, e.range.start)) + e.newText +
               text.slice(offset(text, e.range.end));
    return text;
}
function piece(text, range) {
    return text.slice(offset(text, range.start), offset(text, range.end));
}

const library = `// twice d, once x
.macro TWICE d, x=RZ
    IADD3 \\d, \\d, \\x, RZ ;
.endm
.macro SHARED
    IADD3 total, total, 0x1, RZ ;
.endm
`;
const good = `.target sm_80
.include "library.sass"
.equ STEP, 4            // bytes
.kernel first
.param out, 8
.reg total = R4
.reg at[0:1] = R2
    /* \u{1F600} \u00e4 */ MOV total, STEP ;
    MOV at[0], RZ ;
loop:
    TWICE total, R5
    SHARED
    ISETP.LT.U32.AND P0, PT, total, STEP, PT ;
@P0 BRA loop ;
    EXIT ;
.end
.kernel second
.reg total = R7
loop:
    IMAD.WIDE.U32 R2, total, 0x4, RZ ;
    BRA loop ;
.end
`;

async function main() {
    const child = spawn(fhec, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((done) => child.on('exit', (code) => done(code)));
    const connection = lsp.createProtocolConnection(
        new lsp.StreamMessageReader(child.stdout), new lsp.StreamMessageWriter(child.stdin));
    const diagnostics = new Map(), waiting = [];
    connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
        diagnostics.set(p.uri, p);
        for (const w of [...waiting])
            if (w.uri === p.uri && p.version === w.version) {
                waiting.splice(waiting.indexOf(w), 1);
                w.done(p.diagnostics);
            }
    });
    const published = (uri, version) => new Promise((done) => waiting.push({ uri, version, done }));
    connection.listen();
    const ask = (type, params) => connection.sendRequest(type, params);
    const refused = async (type, params) => {
        try {
            await ask(type, params);
            return 'accepted';
        } catch (error) {
            return [error.code, error.message];
        }
    };
    const open = (uri, text) => {
        const told = published(uri, 1);
        connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
            { textDocument: { uri, languageId: 'sass', version: 1, text } });
        return told;
    };
    const change = (uri, version, contentChanges) => {
        const told = published(uri, version);
        connection.sendNotification(lsp.DidChangeTextDocumentNotification.type,
            { textDocument: { uri, version }, contentChanges });
        return told;
    };

    // ------------------------------------------------------------------ life
    same('a request before initialize', (await refused(lsp.HoverRequest.type,
        { textDocument: { uri: 'file:///x' }, position: { line: 0, character: 0 } }))[0], -32002);
    const hello = await ask(lsp.InitializeRequest.type,
        { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions:
            { include: [path.join(folder, 'elsewhere'), 5], define: ['GIVEN=3'] } });
    same('initialize', [hello.serverInfo.name, hello.capabilities.textDocumentSync.change,
        hello.capabilities.positionEncoding], ['fhec', lsp.TextDocumentSyncKind.Incremental, 'utf-16']);
    connection.sendNotification(lsp.InitializedNotification.type, {});
    same('initialize again', (await refused(lsp.InitializeRequest.type,
        { processId: null, rootUri: null, capabilities: {} }))[0], -32600);
    same('a method that there is not', (await refused('textDocument/nothing', {}))[0],
        lsp.ErrorCodes.MethodNotFound);
    same('params of another form', (await refused(lsp.HoverRequest.type, { textDocument: 5 }))[0],
        lsp.ErrorCodes.InvalidParams);

    // ------------------------------------------------------------------ diagnostics
    const libraryUri = write('library.sass', library), uri = write('k.sass', good);
    same('a source that is right has no diagnostics', await open(uri, good), []);
    const wrongLine = good.replace('MOV at[0], RZ', 'MOV at[0], R5 R6');
    let told = await change(uri, 2, [{ text: wrongLine }]);
    same('an error, where it is', [told.length, told[0].severity, told[0].source,
        piece(wrongLine, told[0].range)], [1, 1, 'fhec', 'R6']);
    told = await change(uri, 3, [{ range: { start: at(wrongLine, ' R6'), end: at(wrongLine, ' R6', 3) },
        text: '' }, { range: { start: at(wrongLine, 'R5 R6'), end: at(wrongLine, 'R5 R6', 2) }, text: 'RZ' }]);
    same('changes one after another mend it', told, []);
    told = await change(uri, 4, [{ range: { start: at(good, 'TWICE total'), end: at(good, 'TWICE total', 11) },
        text: 'TWICE nothing' }]);
    const inLibrary = diagnostics.get(libraryUri);
    same('an error in a macro of another file', [told.length, inLibrary.diagnostics.length > 0,
        piece(library, inLibrary.diagnostics[0].range)], [0, true, '\\d']);
    const steps = inLibrary.diagnostics[0].relatedInformation;
    same('the call that led there', [steps[0].location.uri, steps[0].location.range.start.line,
        steps[0].message], [uri, at(good, 'TWICE total').line, 'macro TWICE']);
    const unmended = good.replace('TWICE total', 'TWICE nothing');
    told = await change(uri, 5, [{ range: { start: at(unmended, 'nothing'), end: at(unmended, 'nothing', 7) },
        text: 'total' }]);
    same('and none when it is mended', [told, diagnostics.get(libraryUri).diagnostics], [[], []]);
    const emoji = at(good, '\u{1F600}');
    const shorter = { start: emoji, end: { line: emoji.line, character: emoji.character + 2 } };
    await change(uri, 6, [{ range: shorter, text: '' }]);
    told = await change(uri, 7, [{ range: { start: emoji, end: emoji }, text: '\u{1F600}' }]);
    same('characters of two units', told, []);

    // ------------------------------------------------------------------ names
    const doc = { textDocument: { uri } };
    const place = (what, more, n) => ({ ...doc, position: at(good, what, more, n) });
    const found = async (what, more, n) => (await ask(lsp.DefinitionRequest.type, place(what, more, n)))
        .map((l) => [path.basename(l.uri), piece(l.uri === uri ? good : library, l.range), l.range.start.line]);
    same('definition of registers, those of this kernel', await found('total, STEP ;', 2), [['k.sass', 'total', 5]]);
    same('of those of the other kernel', await found('total, 0x4', 0), [['k.sass', 'total', 17]]);
    same('of a number', await found('STEP, PT', 1), [['k.sass', 'STEP', 2]]);
    same('of a label', await found('BRA loop', 5), [['k.sass', 'loop', 9]]);
    same('of the other kernel', await found('BRA loop', 5, 1), [['k.sass', 'loop', 18]]);
    same('of a macro', await found('TWICE total', 2), [['library.sass', 'TWICE', 1]]);
    same('of an included file', await found('library.sass', 2), [['library.sass', '', 0]]);
    same('of nothing', await found('EXIT', 1), []);
    const references = await ask(lsp.ReferencesRequest.type,
        { ...place('TWICE total', 1), context: { includeDeclaration: true } });
    same('references in both files', references.map((l) => path.basename(l.uri)).sort(),
        ['k.sass', 'library.sass']);
    same('highlights in one', (await ask(lsp.DocumentHighlightRequest.type, place('BRA loop', 5)))
        .map((h) => [h.kind, h.range.start.line]).sort(), [[2, 13], [3, 9]]);
    same('the range of a name', piece(good, await ask(lsp.PrepareRenameRequest.type, place('BRA loop', 5))), 'loop');

    const words = (text, lib) => {
        write('library.sass', lib);
        write('renamed.sass', text);
        const list = run(['as', '--list', path.join(folder, 'renamed.sass')]);
        write('library.sass', library);
        return list;
    };
    const before = words(good, library);
    const rename = async (what, more, n, newName) => {
        const edit = await ask(lsp.RenameRequest.type, { ...place(what, more, n), newName });
        return [apply(good, edit.changes[uri] || []), apply(library, edit.changes[libraryUri] || [])];
    };
    let [text, lib] = await rename('BRA loop', 5, 0, 'again');
    same('another name for a label', [text.match(/again/g).length, text.match(/loop/g).length,
        words(text, lib) === before], [2, 2, true]);
    [text, lib] = await rename('total, STEP ;', 1, 0, 'sum');
    same('for registers that a macro uses: in all kernels', [text.includes('total'), lib.includes('total'),
        words(text, lib) === before], [false, false, true]);
    [text, lib] = await rename('STEP', 1, 0, 'BYTES');
    same('for a number', [text.match(/BYTES/g).length, words(text, lib) === before], [3, true]);
    [text, lib] = await rename('TWICE total', 1, 0, 'ADD_TO');
    same('for a macro, in both files', [text.includes('ADD_TO total'), lib.includes('.macro ADD_TO d'),
        words(text, lib) === before], [true, true, true]);
    for (const [what, newName] of [['BRA loop', 'total'], ['BRA loop', 'R5'], ['BRA loop', '5x'],
        ['BRA loop', 'STEP'], ['TWICE total', 'IADD3'], ['EXIT', 'x'], ['out, 8', 'x']])
        same(`no ${newName} for ${what}`, (await refused(lsp.RenameRequest.type,
            { ...place(what, what.indexOf(' ') < 0 ? 0 : what.startsWith('BRA') ? 5 : 1), newName }))[0], -32803);

    // ------------------------------------------------------------------ help
    const hover = async (what, more, n) => {
        const h = await ask(lsp.HoverRequest.type, place(what, more, n));
        return h ? h.contents.value : null;
    };
    same('hover: the page of the book', (await hover('IMAD.WIDE.U32', 2)).trim(), run(['isa', 'IMAD.WIDE.U32']).trim());
    const operand = await hover('total, STEP ;', 1);
    same('of registers by name', [operand.includes('.reg total = R4'), operand.includes('MOV Rd, B')], [true, true]);
    const meaning = async (what, more, n) => (await hover(what, more, n)).match(/\*\*.*\*\* of .*/)[0];
    same('of an operand: what it is', [await meaning('total, STEP ;', 1), await meaning('STEP ;', 1),
        await meaning('P0, PT', 1), await meaning('PT, total', 1), await meaning('STEP, PT', 1)],
        ['**Rd** of MOV is written: register', '**B** of MOV is read: register, immediate, constant, uniform register',
            '**Pu** of ISETP.LT.U32.AND is written: predicate', '**Pv** of ISETP.LT.U32.AND is written: predicate',
            '**B** of ISETP.LT.U32.AND is read: register, immediate, constant, uniform register']);
    same('where others are left out', await meaning('RZ ;\n    BRA', 1), '**C** of IMAD.WIDE.U32 is read: register, constant, uniform register');
    same('of a register', (await hover('R5', 1)).includes('32 bits of each lane'), true);
    same('of a macro, with what is said before it', (await hover('TWICE total', 1)).includes('// twice d, once x'), true);
    same('of a directive', (await hover('.reg', 2)).includes('.reg NAME = R8'), true);
    same('of a blank', await hover('    SHARED', 1), null);
    const complete = async (typed) => {
        const line = good.replace('    EXIT ;\n.end\n.kernel second', `${typed}\n.end\n.kernel second`);
        await change(uri, 100 + ++count, [{ text: line }]);
        count--;
        const list = await ask(lsp.CompletionRequest.type, { ...doc,
            position: at(line, `${typed}\n.end`, typed.length) });
        return list.items.map((i) => [i.label, apply(line, [i.textEdit]).split('\n')[at(line, `${typed}\n.end`).line]]);
    };
    const has = (list, label) => (list.find((i) => i[0] === label) || [])[1];
    same('completion: mnemonics', has(await complete('    IMA'), 'IMAD'), '    IMAD');
    same('macros', has(await complete('    TW'), 'TWICE'), '    TWICE');
    same('modifiers', has(await complete('    IMAD.WIDE.'), 'U32'), '    IMAD.WIDE.U32');
    same('directives', has(await complete('.ke'), '.kernel'), '.kernel');
    let offered = await complete('    MOV R1, to');
    same('registers by name, labels, numbers', [has(offered, 'total'), has(offered, 'loop'), has(offered, 'STEP')],
        ['    MOV R1, total', '    MOV R1, loop', '    MOV R1, STEP']);
    same('each once', new Set(offered.map((i) => i[0])).size, offered.length);
    same('registers by number', has(await complete('    MOV R1'), 'R17'), '    MOV R17');
    same('special ones', has(await complete('    S2R R1, SR_T'), 'SR_TID.X'), '    S2R R1, SR_TID.X');
    same('predicates of a guard', has(await complete('@P'), 'P3'), '@P3');
    same('nothing in a comment', await complete('    // IMA'), []);
    await change(uri, 300, [{ text: good }]);
    const signature = await ask(lsp.SignatureHelpRequest.type, place('R5\n', 1));
    same('signature of a macro', [signature.signatures[0].label, signature.activeParameter], ['TWICE d, x=RZ', 1]);

    // ------------------------------------------------------------------ form
    const symbols = await ask(lsp.DocumentSymbolRequest.type, doc);
    same('outline', symbols.map((s) => [s.name, s.children.map((c) => c.name)]),
        [['STEP', []], ['first', ['out', 'total', 'at', 'loop']], ['second', ['total', 'loop']]]);
    same('folds', (await ask(lsp.FoldingRangeRequest.type, doc)).map((f) => [f.startLine, f.endLine]), [[3, 15], [16, 21]]);
    const worse = good.replace(/^ {4}/gm, ' ').replace(/, /g, ',') + 'x';
    await change(uri, 301, [{ text: worse }]);
    const edits = await ask(lsp.DocumentFormattingRequest.type, { ...doc, options: { tabSize: 4, insertSpaces: true } });
    same('the layout is that of fhec fmt', apply(worse, edits), run(['fmt', '-'], worse));
    const lines = { start: at(worse, 'loop:'), end: at(worse, 'SHARED', 3) };
    const some = apply(worse, await ask(lsp.DocumentRangeFormattingRequest.type,
        { ...doc, range: lines, options: { tabSize: 4, insertSpaces: true } })).split('\n');
    const all = run(['fmt', '-'], worse).split('\n');
    same('of some lines only', some, worse.split('\n').map((l, i) =>
        i >= lines.start.line && i <= lines.end.line ? all[i] : l));
    await change(uri, 302, [{ text: good }]);
    const legend = hello.capabilities.semanticTokensProvider.legend.tokenTypes;
    const data = (await ask(lsp.SemanticTokensRequest.type, doc)).data, kinds = new Map();
    for (let i = 0, line = 0, character = 0; i < data.length; i += 5) {
        line += data[i];
        character = data[i] ? data[i + 1] : character + data[i + 1];
        const start = { line, character }, end = { line, character: character + data[i + 2] };
        kinds.set(`${line}:${piece(good, { start, end })}`, legend[data[i + 3]]);
    }
    same('kinds of words', ['0:.target', '2:4', '2:// bytes', '7:/* \u{1F600} \u00e4 */', '7:MOV', '10:TWICE', '10:R5', '13:loop']
        .map((k) => kinds.get(k)), ['keyword', 'number', 'comment', 'comment', 'function', 'macro', 'variable', 'property']);
    const hints = await ask(lsp.InlayHintRequest.type, { ...doc, range: { start: at(good, 'MOV at'), end: at(good, 'EXIT') } });
    const listed = run(['as', path.join(folder, 'k.sass'), '-o', '-']).length > 0;
    run(['as', path.join(folder, 'k.sass'), '-o', path.join(folder, 'k.cubin')]);
    const control = run(['dis', '-c', path.join(folder, 'k.cubin')]).split('\n')
        .filter((l) => l.includes('MOV R2,')).map((l) => l.trim().slice(0, 21).trim())[0];
    same('hints: scheduling fields as they are chosen', [listed, hints[0].label.startsWith(control.split(']')[0] + ']'),
        hints[0].position], [true, true, at(good, 'MOV at[0], RZ ;', 15)]);
    same('and registers live', hints.every((h) => /\d+ live$/.test(h.label)), true);

    // A file that an open document includes is no source of its own; alone it is one.
    const part = '    MOV total, RZ ;\n', partUri = write('part.sass', part);
    same('a part, alone', (await open(partUri, part)).length > 0, true);
    const whole = '.target sm_80\n.kernel k\n.reg total = R1\n.include "part.sass"\n    EXIT ;\n.end\n';
    const mended = published(partUri, 1), wholeUri = write('whole.sass', whole);
    same('the whole', [await open(wholeUri, whole), await mended], [[], []]);
    const used = await ask(lsp.ReferencesRequest.type, { textDocument: { uri: partUri },
        position: { line: 0, character: 9 }, context: { includeDeclaration: true } });
    same('a name of the whole, from its part', used.map((l) => path.basename(l.uri)).sort(), ['part.sass', 'whole.sass']);
    const torn = published(wholeUri, 1);
    connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri: partUri, version: 2 },
        contentChanges: [{ text: '.include "whole.sass"\n' }] });
    same('files that include each other', (await torn).concat(diagnostics.get(partUri).diagnostics).length > 0, true);
    for (const closed of [partUri, wholeUri])
        connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri: closed } });
    fs.mkdirSync(path.join(folder, 'elsewhere'));
    fs.writeFileSync(path.join(folder, 'elsewhere', 'far.sass'), '.equ FAR, GIVEN\n');
    const given = '.include "far.sass"\n.if FAR == 3\n.error "three"\n.endif\n';
    told = await open(write('given.sass', given), given);
    same('included folders and values of the client', told.map((d) => [d.range.start.line, d.message]), [[2, 'three']]);
    const other = write('other.sass', 'MOV R1');
    same('another document, which is wrong', (await open(other, 'MOV R1')).length > 0, true);
    const cleared = published(other, undefined);
    connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri: other } });
    same('no diagnostics when it is closed', await cleared, []);

    // ------------------------------------------------------------------ all kernels
    for (const file of fs.readdirSync(path.join(folder, 'programs')).filter((f) => f.endsWith('.sass'))) {
        const whole = fs.readFileSync(path.join(folder, 'programs', file), 'utf8');
        const kernel = pathToFileURL(path.join(folder, 'programs', file)).href;
        const wrong = (await open(kernel, whole)).filter((d) => d.severity === 1);
        const outline = await ask(lsp.DocumentSymbolRequest.type, { textDocument: { uri: kernel } });
        const shown = await ask(lsp.InlayHintRequest.type, { textDocument: { uri: kernel },
            range: { start: { line: 0, character: 0 }, end: { line: 100000, character: 0 } } });
        same(`${file}: no errors, an outline, hints`, [wrong, outline.length > 0, shown.length > 0], [[], true, true]);
        connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri: kernel } });
    }
    same('shutdown', await ask(lsp.ShutdownRequest.type), null);
    same('after it', (await refused(lsp.HoverRequest.type, place('EXIT', 1)))[0], -32600);
    await connection.sendNotification(lsp.ExitNotification.type);
    same('exit', await ended, 0);
    console.log(`1..${count}`);
    process.exit(bad);
}
main().catch((error) => {
    console.log(`Bail out! ${error.stack}`);
    process.exit(2);
});
