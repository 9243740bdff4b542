// client.js - a client of `fhec dap` ($FHEC): the protocol's own test client, of which every message that
// comes is checked against a schema that is made of the protocol's own types. Tests of it print TAP;
// the folder for their files is the first argument.
'use strict';
const fs = require('fs');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const Ajv = require('ajv');
const { createGenerator } = require('ts-json-schema-generator');

const fhec = fs.realpathSync(process.env.FHEC), folder = fs.realpathSync(process.argv[2]);
const top = path.resolve(__dirname, '../..');

// ---------------------------------------------------------------- the verdict

let count = 0, bad = 0;
function ok(name, fine, ...why) {
    console.log(`${fine ? 'ok' : 'not ok'} ${++count} - ${name}`);
    if (fine)
        return;
    bad = 1;
    for (const w of why)
        console.log('# ' + (typeof w === 'string' ? w : JSON.stringify(w)).replace(/\n/g, '\n# '));
}
function same(name, got, wanted) {
    const a = JSON.stringify(got), b = JSON.stringify(wanted);
    ok(name, a === b, `got    ${a}`, `wanted ${b}`);
}

// ---------------------------------------------------------------- the schema

const types = path.join(path.dirname(require.resolve('@vscode/debugprotocol/package.json')),
                        'lib/debugProtocol.d.ts');
const schema = createGenerator({ path: types, skipTypeCheck: true, expose: 'all' }).createSchema('*');
const ajv = new Ajv({ strict: false, allErrors: false });
ajv.addSchema(schema, 'dap');
const validators = new Map();
function validator(name) {
    if (!validators.has(name)) {
        const known = schema.definitions['DebugProtocol.' + name];
        validators.set(name, known &&
            ajv.compile({ $ref: `dap#/definitions/${encodeURIComponent('DebugProtocol.' + name)}` }));
    }
    return validators.get(name);
}
const misfits = [], seen = new Set();
const big = s => s[0].toUpperCase() + s.slice(1);
function validate(message) {
    const name = message.type === 'event' ? big(message.event) + 'Event'
               : message.success ? big(message.command) + 'Response' : 'ErrorResponse';
    const holds = validator(name);
    seen.add(name);
    if (!holds)
        misfits.push(`${name} is not of the protocol`);
    else if (!holds(message))
        misfits.push(`${name}: ${ajv.errorsText(holds.errors)} in ${JSON.stringify(message)}`);
}

// ---------------------------------------------------------------- a client

let last = null; // the client that was made last
class Client extends DebugClient {
    constructor(...more) {
        super(fhec, 'dap', 'fhec', { cwd: folder }, ...more);
        this.messages = [];
        last = this;
        this.defaultTimeout = 20000;
        this.thread = 1;
    }
    dispatch(body) { // every message passes here
        const message = JSON.parse(body);
        validate(message);
        this.messages.push(message);
        super.dispatch(body);
    }
    // The whole response, whether it is a success or not.
    ask(command, args) {
        return new Promise(done => this.doSend(command, args, done));
    }
    async body(command, args) {
        const response = await this.ask(command, args);
        if (!response.success)
            throw new Error(`${command}: ${response.message}`);
        return response.body;
    }
    async error(command, args) {
        const response = await this.ask(command, args);
        return response.success ? 'success' : response.body.error.id;
    }
    // Lets the guest go, and waits until it stands: the stop's body.
    async go(command, args = {}, event = 'stopped') {
        const [stop] = await Promise.all([this.waitForEvent(event),
                                          this.body(command, { threadId: this.thread, ...args })]);
        this.thread = stop.body && stop.body.threadId || this.thread;
        return stop.body;
    }
    // Without waiting for an answer: there may be nobody any more.
    leave() {
        this._adapterProcess.stdin.on('error', () => {});
        this.ask('disconnect');
    }
    async top(threadId = this.thread) {
        return (await this.body('stackTrace', { threadId })).stackFrames[0];
    }
    async line() {
        return (await this.top()).line;
    }
    async scope(name) {
        const frame = await this.top();
        const { scopes } = await this.body('scopes', { frameId: frame.id });
        return scopes.find(s => s.name.startsWith(name));
    }
    async value(name, scope = 'Registers') {
        const { variablesReference } = await this.scope(scope);
        const { variables } = await this.body('variables', { variablesReference });
        return variables.find(v => v.name === name);
    }
}

async function started(launch, breakpoints = async () => {}) {
    const client = new Client();
    await client.start();
    await client.body('initialize', { adapterID: 'fhec', supportsInvalidatedEvent: true,
                                      supportsMemoryEvent: true, supportsProgressReporting: true });
    await Promise.all([client.waitForEvent('initialized'), client.body('launch', launch)]);
    await breakpoints(client);
    const stopped = client.waitForEvent('stopped');
    await client.body('configurationDone');
    client.first = (await stopped).body;
    return client;
}

// ---------------------------------------------------------------- guests

function words(name, values) {
    fs.writeFileSync(path.join(folder, name), new Uint32Array(values));
}
function write(name, text) {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
}
const lineOf = (file, text) =>
    fs.readFileSync(file, 'utf8').split('\n').findIndex(l => l.includes(text)) + 1;

// Each thread adds its number to a sum as often as its block's number says, plus one.
const loop = write('loop.sass', `.target sm_80
.macro ADD_ONE reg
    IADD3 \\reg, \\reg, 0x1, RZ ;
    IADD3 \\reg, \\reg, 0x0, RZ ;
.endm
.kernel sums
.param out, 8
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    MOV R2, RZ ;
    MOV R3, RZ ;
again:
    IADD3 R3, R3, R0, RZ ;
    ADD_ONE R2
    ISETP.LE.U32.AND P0, PT, R2, R1, PT ;
@P0 BRA again ;
    BAR.SYNC 0x0 ;
    MOV R4, 0x4 ;
    IMAD R5, R1, 0x40, R0 ;
    IMAD.WIDE.U32 R6, R5, R4, out ;
    STG.E [R6.64], R3 ;
    EXIT ;
.end
`);
const sums = { program: loop, cwd: folder,
               args: ['--grid', '3', '--block', '64', '--out', 'out=sums.out:768'] };
const endless = write('endless.sass', `.target sm_80
.kernel endless
    MOV R2, RZ ;
on:
    IADD3 R2, R2, 0x1, RZ ;
    BRA on ;
.end
`);
const wild = write('wild.sass', `.target sm_80
.kernel wild
.param out, 8
    MOV R2, 0x10 ;
    MOV R3, RZ ;
    STG.E [R2.64], R2 ;
    EXIT ;
.end
`);

// ---------------------------------------------------------------- the end

// Runs the stories one after the other, and ends the process; `kinds` of message must have been seen.
async function run(stories, kinds) {
    let error = null;
    try {
        for (const story of stories)
            await story();
    } catch (e) {
        error = e;
        ok('no step failed', false, e.stack,
           ...(last ? last.messages.slice(-6).map(m => JSON.stringify(m).slice(0, 400)) : []));
    }
    same('every message is what the schema says', misfits.slice(0, 5), []);
    if (!error)
        ok(`${seen.size} kinds of message were seen`, seen.size >= kinds, [...seen].join(' '));
    console.log(`1..${count}`);
    process.exit(bad);
}

module.exports = { Client, endless, fhec, folder, lineOf, loop, ok, run, same, started, sums, top, wild,
                   words, write };
