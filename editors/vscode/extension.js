// extension.js - starts `fhec lsp` for the language and `fhec dap` for the debugger.
'use strict';
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client = null;

const program = () => vscode.workspace.getConfiguration('fhec').get('path') || 'fhec';

async function startServer() {
    if (!vscode.workspace.getConfiguration('fhec').get('languageServer'))
        return;
    const server = { command: program(), args: ['lsp'] };
    client = new LanguageClient('fhec', 'fhec', { run: server, debug: server },
                                { documentSelector: [{ language: 'fhec' }] });
    try {
        await client.start();
    } catch (error) {
        client = null;
        vscode.window.showErrorMessage(`fhec: \`${program()} lsp\` does not start: ${error.message}. ` +
                                       'Where it is says the setting "fhec.path".');
    }
}

async function stopServer() {
    const running = client;
    client = null;
    if (running)
        await running.stop().catch(() => {}); // it may have ended by itself
}

const adapters = {
    createDebugAdapterDescriptor(session) {
        const { port } = session.configuration;
        return port ? new vscode.DebugAdapterServer(port, '127.0.0.1')
                    : new vscode.DebugAdapterExecutable(program(), ['dap']);
    },
};

// F5 without a launch.json: the file that is open.
const configurations = {
    resolveDebugConfiguration(folder, configuration) {
        const editor = vscode.window.activeTextEditor;
        if (!configuration.type && editor && editor.document.languageId === 'fhec')
            return { type: 'fhec', request: 'launch', name: 'Debug this file', program: '${file}',
                     args: ['--grid', '1', '--block', '32'], stopOnEntry: true };
        return configuration;
    },
};

async function activate(context) {
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory('fhec', adapters),
        vscode.debug.registerDebugConfigurationProvider('fhec', configurations),
        vscode.commands.registerCommand('fhec.restartServer', async () => {
            await stopServer();
            await startServer();
        }));
    await startServer();
}

module.exports = { activate, deactivate: stopServer };
