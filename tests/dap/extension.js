// extension.js FOLDER: the extension in editors/vscode, started as the editor starts it: its own code and
// its own client of the language server, with `fhec lsp` and `fhec dap` ($FHEC), on an editor that is
// made of jest-mock-vscode's types and of what stands here: documents, settings, and lists of what has
// been registered. Prints TAP.
'use strict';
const cp = require('child_process');
const fs = require('fs');
const path = require('path');
const Module = require('module');
const { createVSCodeMock } = require('jest-mock-vscode');

const top = path.resolve(__dirname, '../..'), extension = path.join(top, 'editors/vscode');
const fhec = fs.realpathSync(process.env.FHEC), folder = fs.realpathSync(process.argv[2]);
const about = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));

let count = 0, bad = 0;
function same(name, got, wanted) {
    const a = JSON.stringify(got), b = JSON.stringify(wanted);
    console.log(`${a === b ? 'ok' : 'not ok'} ${++count} - ${name}`);
    if (a === b)
        return;
    bad = 1;
    console.log(`# got    ${a}\n# wanted ${b}`);
}

// ---------------------------------------------------------------- the editor

const stub = implementation => Object.assign((...more) => implementation && implementation(...more), {
    mockImplementation: f => stub(f), mockReturnValue: value => stub(() => value) });
const vscode = { ...createVSCodeMock({ fn: stub, spyOn: () => stub() }) };
const events = new Map();   // emitters by name: "workspace.onDidOpenTextDocument"
const registered = [];      // [name, ...arguments], of what was registered and not disposed
const diagnostics = new Map();
const shown = [];           // messages to the person
const settings = { 'fhec.path': fhec, 'fhec.languageServer': true };

function emitter(name) {
    if (!events.has(name))
        events.set(name, new vscode.EventEmitter());
    return events.get(name);
}
function space(name, known) {
    const own = vscode[name] || {};
    return new Proxy(own, {
        get: (_, key) => key in known ? known[key]
            : /^on(Did|Will)/.test(key) ? emitter(`${name}.${key}`).event
            : /^(register|set)/.test(key) ? (...more) => {
                registered.push([`${name}.${key}`, ...more]);
                return new vscode.Disposable(() => registered.splice(registered.findIndex(r => r[1] === more[0]), 1));
            } : own[key],
    });
}
const registrations = name => registered.filter(r => r[0] === name);

// As the editor tells them: what package.json says is the default.
function configuration(section) {
    const all = { ...settings };
    for (const [name, { default: value }] of Object.entries(about.contributes.configuration.properties))
        all[name] = name in settings ? settings[name] : value;
    return { get: key => all[section ? `${section}.${key}` : key], has: () => true, inspect: () => undefined };
}
const documents = [], active = {}; // active.document: of the editor that has the focus
const output = { append() {}, appendLine() {}, clear() {}, show() {}, dispose() {}, replace() {}, hide() {} };
Object.assign(vscode, {
    version: '1.95.0', // of the editor that it is tried with
    workspace: space('workspace', {
        textDocuments: documents, notebookDocuments: [], workspaceFolders: undefined, getConfiguration: configuration,
        createFileSystemWatcher: () => ({ onDidCreate: stub(), onDidChange: stub(), onDidDelete: stub(), dispose() {} }),
    }),
    window: space('window', {
        get activeTextEditor() { return active.document && active; }, visibleTextEditors: [], state: { focused: true },
        createOutputChannel: () => output, showErrorMessage: async text => { shown.push(text); },
        showWarningMessage: async text => { shown.push(text); },
        tabGroups: { all: [], onDidChangeTabs: emitter('tabs').event, onDidChangeTabGroups: emitter('groups').event },
    }),
    languages: space('languages', {
        match: (selector, document) => [selector].flat().some(s => (s.language || s) === document.languageId) ? 10 : 0,
        createDiagnosticCollection: () => ({
            set: (uri, list) => { diagnostics.set(`${uri}`, list); emitter('diagnostics').fire(`${uri}`); },
            delete: uri => diagnostics.delete(`${uri}`), clear: () => diagnostics.clear(), dispose() {},
        }),
    }),
    debug: space('debug', {}), commands: space('commands', {}), extensions: space('extensions', { all: [] }),
    env: { appName: 'editor', language: 'en', uriScheme: 'x', openExternal: stub() }, l10n: { t: text => text },
    CodeActionTriggerKind: { Invoke: 1, Automatic: 2 }, NotebookCellKind: { Markup: 1, Code: 2 },
    CancellationTokenSource: class {
        constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: stub() }; }
        cancel() {}
        dispose() {}
    },
});
// What the mock has no classes for: their members in the order of their constructors.
for (const [name, ...members] of [
    ['Hover', 'contents', 'range'], ['SignatureHelp'], ['SignatureInformation', 'label', 'documentation'],
    ['ParameterInformation', 'label', 'documentation'], ['InlayHint', 'position', 'label', 'kind'],
    ['InlayHintLabelPart', 'value'], ['LinkedEditingRanges', 'ranges', 'wordPattern'],
    ['RelativePattern', 'base', 'pattern'], ['InlineCompletionItem', 'insertText', 'range'],
    ['InlineCompletionList', 'items'], ['InlineValueText', 'range', 'text'],
    ['InlineValueVariableLookup', 'range'], ['InlineValueEvaluatableExpression', 'range'],
    ['TabInputText', 'uri'], ['TabInputTextDiff', 'original', 'modified'], ['TabInputCustom', 'uri'],
    ['CancellationError'], ['DebugAdapterExecutable', 'command', 'args', 'options'],
    ['DebugAdapterServer', 'port', 'host']])
    vscode[name] = { [name]: class {
        constructor(...values) { members.forEach((member, i) => { this[member] = values[i]; }); }
    } }[name];
const load = Module._load;
Module._load = (name, ...more) => name === 'vscode' ? vscode : load(name, ...more);

// ---------------------------------------------------------------- documents

const told = uri => new Promise(done => {
    const on = emitter('diagnostics').event(changed => {
        if (changed !== `${uri}`)
            return;
        on.dispose();
        done(diagnostics.get(changed));
    });
});
// A document of the editor's: its text can be read and changed.
function open(name, text) {
    const uri = vscode.Uri.file(path.join(folder, name));
    const document = {
        uri, fileName: uri.fsPath, languageId: 'fhec', version: 1, isClosed: false, text, eol: 1,
        getText: () => document.text,
        positionAt(offset) {
            const lines = document.text.slice(0, offset).split('\n');
            return new vscode.Position(lines.length - 1, lines[lines.length - 1].length);
        },
    };
    documents.push(document);
    emitter('workspace.onDidOpenTextDocument').fire(document);
    return document;
}
function replace(document, from, to) {
    const offset = document.text.indexOf(from);
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + from.length));
    document.text = document.text.replace(from, to);
    document.version++;
    emitter('workspace.onDidChangeTextDocument').fire({ document, reason: undefined,
        contentChanges: [{ range, rangeOffset: offset, rangeLength: from.length, text: to }] });
}
const at = (document, what, more = 0) => document.positionAt(document.text.indexOf(what) + more);
const token = { isCancellationRequested: false, onCancellationRequested: emitter('cancel').event };
function applied(document, edits) {
    const offset = p => document.text.split('\n').slice(0, p.line).reduce((sum, l) => sum + l.length + 1, 0) + p.character;
    return [...edits].sort((x, y) => offset(y.range.start) - offset(x.range.start)).reduce((text, e) =>
        text.slice(0, offset(e.range.start)) + e.newText + text.slice(offset(e.range.end)), document.text);
}
// What the provider of a feature says.
function provider(feature) {
    const found = registrations(`languages.register${feature}Provider`).pop();
    if (!found)
        throw new Error(`nobody provides ${feature}`);
    return found[2];
}

// ---------------------------------------------------------------- stories

const source = `.target sm_80
.equ STEP, 4
.kernel k
again:
    MOVE R1, STEP ;
  IADD3   R1,R1, STEP, RZ ;
    BRA again ;
.end
`;

async function language() {
    const context = { subscriptions: [] };
    const editor = require(extension);
    await editor.activate(context);
    same('it starts', shown, []);
    const document = open('a.sass', source);
    const list = await told(document.uri);
    same('what is wrong is told', list.map(d => [d.code, d.range.start.line, d.severity]),
         [['E010', 4, vscode.DiagnosticSeverity.Error]]);
    const changed = told(document.uri);
    replace(document, 'MOVE', 'MOV');
    same('and mended', await changed, []);
    const hover = await provider('Hover').provideHover(document, at(document, 'IADD3', 1), token);
    same('hover', /IADD3/.test(JSON.stringify(hover.contents)), true);
    const definition = [await provider('Definition').provideDefinition(document, at(document, 'STEP, RZ'), token)].flat()[0];
    same('a definition', (definition.range || definition.targetRange).start.line, 1);
    const items = await provider('CompletionItem').provideCompletionItems(document, at(document, 'IADD3', 3), token, {});
    same('completion', (items.items || items).some(i => (i.label.label || i.label) === 'IADD3'), true);
    const symbols = await provider('DocumentSymbol').provideDocumentSymbols(document, token);
    same('outline', symbols.map(s => s.name).includes('k'), true);
    const edits = await provider('DocumentFormattingEdit').provideDocumentFormattingEdits(document, { tabSize: 4 }, token);
    const formatted = path.join(folder, 'formatted.sass');
    fs.writeFileSync(formatted, document.text);
    cp.execFileSync(fhec, ['fmt', formatted]);
    same('formatting is what fhec fmt does', applied(document, edits), fs.readFileSync(formatted, 'utf8'));
    const rename = await provider('Rename').provideRenameEdits(document, at(document, 'again'), 'more', token);
    same('renaming', rename.entries().map(([uri, list]) => [`${uri}` === `${document.uri}`, list.length]), [[true, 2]]);
    const hints = await provider('InlayHints').provideInlayHints(document, new vscode.Range(0, 0, 8, 0), token);
    same('inlay hints', hints.length > 0 && hints.every(h => h.position.line > 1 && h.position.line < 8), true);
    const folds = await provider('FoldingRange').provideFoldingRanges(document, {}, token);
    same('folding', folds.some(f => f.start === 2), true);

    // Its command: the server begins again, and knows what is open.
    const again = told(document.uri), [, name, restart] = registrations('commands.registerCommand')
        .find(r => r[1] === 'fhec.restartServer');
    same('the command is a contribution', about.contributes.commands.map(c => c.command), [name]);
    await restart();
    same('the server begins again', await again, []);
    await editor.deactivate();
    same('and ends', registrations('languages.registerHoverProvider').length, 0);
    documents.length = 0;
    return context;
}

async function missing() {
    settings['fhec.path'] = path.join(folder, 'no-such-program');
    const editor = require(extension);
    await editor.activate({ subscriptions: [] });
    await editor.deactivate();
    same('a program that is not there is told', shown.some(t => t.includes('no-such-program') && t.includes('fhec.path')), true);
    shown.length = 0;
    settings['fhec.path'] = fhec;
    settings['fhec.languageServer'] = false;
    await editor.activate({ subscriptions: [] });
    same('no server if none is wanted', registrations('languages.registerHoverProvider').length, 0);
    await editor.deactivate();
    settings['fhec.languageServer'] = true;
}

// The debugger: what the factory says is started, and speaks.
async function debugging() {
    const [, type, factory] = registrations('debug.registerDebugAdapterDescriptorFactory').pop();
    same('the type is a contribution', type, about.contributes.debuggers[0].type);
    const executable = factory.createDebugAdapterDescriptor({ configuration: {} });
    same('an adapter', [executable.constructor.name, executable.command, executable.args],
         ['DebugAdapterExecutable', fhec, ['dap']]);
    const server = factory.createDebugAdapterDescriptor({ configuration: { port: 4711 } });
    same('or one that runs', [server.constructor.name, server.port, server.host], ['DebugAdapterServer', 4711, '127.0.0.1']);
    const [, , provide] = registrations('debug.registerDebugConfigurationProvider').pop();
    const given = { type: 'fhec', request: 'launch', name: 'x', program: 'a' };
    same('a configuration stays', provide.resolveDebugConfiguration(undefined, given), given);
    same('and none without a file', provide.resolveDebugConfiguration(undefined, {}), {});
    active.document = { languageId: 'fhec' };
    const made = provide.resolveDebugConfiguration(undefined, {});
    same('F5 debugs the file that is open', [made.type, made.program, made.stopOnEntry], ['fhec', '${file}', true]);
    active.document = { languageId: 'c' };
    same('if it is one of ours', provide.resolveDebugConfiguration(undefined, {}), {});

    const { DebugClient } = require('@vscode/debugadapter-testsupport');
    const program = path.join(folder, 'd.sass');
    fs.writeFileSync(program, source.replace('MOVE', 'MOV'));
    const client = new DebugClient(executable.command, executable.args[0], type);
    await client.start();
    const { body } = await client.initializeRequest();
    same('it goes back', body.supportsStepBack, true);
    // The contributed configuration, with the editor's variables filled in.
    const [initial] = about.contributes.debuggers[0].initialConfigurations;
    const text = JSON.stringify(initial).replaceAll('${file}', program).replaceAll('${workspaceFolder}', folder);
    await Promise.all([client.waitForEvent('initialized'), client.launchRequest(JSON.parse(text))]);
    const stopped = client.waitForEvent('stopped');
    await client.configurationDoneRequest();
    same('and starts as it is contributed', (await stopped).body.reason, 'entry');
    await client.disconnectRequest();
}

(async () => {
    for (const story of [language, missing, debugging])
        await story();
})().catch(error => {
    same(`no step failed: ${error.stack}`, 1, 0);
}).finally(() => {
    console.log(`1..${count}`);
    process.exit(bad);
});
