// moves.js FOLDER: what moves the guest of `fhec dap` ($FHEC) beside steps, every request at every point
// of a session, and sessions that begin again. Prints TAP.
'use strict';
const cp = require('child_process');
const { once } = require('events');
const { Client, endless, fhec, folder, lineOf, loop, ok, run, same, started, sums, wild, write } =
    require('./client.js');

const body = lineOf(loop, 'IADD3 R3'), store = lineOf(loop, 'STG.E');
const forever = { program: endless, cwd: folder, args: ['--grid', '1', '--block', '32'] };
const faulty = { program: wild, cwd: folder, args: ['--grid', '1', '--block', '32', '--out', 'out=w.out:16'] };
const typed = (client, line) => client.ask('evaluate', { expression: line, context: 'repl' });
const ended = client => new Promise(done => client._adapterProcess.on('exit', status => done(status)));

// ---------------------------------------------------------------- goto

// Threads 1, 33 and 65 are the first warps of the blocks, whose loops turn once, twice and thrice.
async function lines() {
    let client = await started({ ...sums, stopOnEntry: true });
    const source = { path: loop };
    const targets = async line => (await client.body('gotoTargets', { source, line })).targets;
    const [on, back] = await targets(body);
    same('a line is gone to forwards and backwards', [on, back].map(t => [t.label, t.line]),
         [['sums+0x0040, the next time', body], ['sums+0x0040, the last time it was there', body]]);
    const place = await client.body('disassemble', { memoryReference: on.instructionPointerReference,
                                                    instructionCount: 1 });
    same('an instruction by its reference', place.instructions[0].instruction, 'IADD3 R3, R3, R0, RZ');
    same('a macro that is used', (await targets(body + 1)).map(t => t.label.split(',')[0]),
         ['sums+0x0050', 'sums+0x0050']);
    same('a line of a macro', (await targets(lineOf(loop, '0x0, RZ'))).map(t => t.label.split(',')[0]),
         ['sums+0x0060', 'sums+0x0060']);
    same('the next line with code', (await targets(lineOf(loop, 'again:')))[0].line, body);
    same('below all code', await targets(1000), []);
    same('no file of the guest', (await client.body('gotoTargets', { source: { path: '/x' }, line: 1 })).targets, []);
    const target = async (line, backwards = 0) => ({ targetId: (await targets(line))[backwards].id });
    const turn = async () => [(await client.line()), (await client.value('R2')).value.split(' ')[0]];

    let stop = await client.go('goto', await target(body));
    same('on to the loop', [stop.reason, stop.threadId, ...await turn()], ['goto', 1, body, '0']);
    same('it turns but once', await client.error('goto', { threadId: 1, ...await target(body) }), 9);
    same('and stands where it stood', await turn(), [body, '0']);
    await client.body('setBreakpoints', { source, breakpoints: [{ line: store - 1 }] });
    await client.go('goto', await target(store));
    same('no breakpoint on the way counts', await client.line(), store);
    await client.body('setBreakpoints', { source, breakpoints: [] });
    stop = await client.go('goto', await target(body, 1));
    same('back into the loop', [stop.reason, ...await turn()], ['goto', body, '0']);
    same('before that it was not there', await client.error('goto', { threadId: 1, ...await target(body, 1) }), 9);
    client.thread = 65;
    const seen = [];
    for (let i = 0; i < 3; i++) {
        stop = await client.go('goto', await target(body));
        seen.push([stop.threadId, ...await turn()]);
    }
    same('a block that had yet to begin', seen, [[65, body, '0'], [65, body, '1'], [65, body, '2']]);
    same('thrice', await client.error('goto', { threadId: 65, ...await target(body) }), 9);
    await client.go('goto', await target(body, 1));
    same('the time before', await turn(), [body, '1']);
    same('no such target', await client.error('goto', { threadId: 65, targetId: 1 << 30 }), 7);
    same('nor that', await client.error('goto', { threadId: 65, targetId: -5 }), 7);
    same('no such thread', await client.error('goto', { threadId: 9999, ...await target(body) }), 7);
    same('no target', await client.error('goto', { threadId: 65 }), 3);
    await client.body('disconnect');

    client = await started({ ...faulty, stopOnEntry: true });
    const behind = (await client.body('gotoTargets', { source: { path: wild }, line: lineOf(wild, 'EXIT') })).targets;
    const stopped = client.waitForEvent('stopped');
    same('a fault before it', await client.error('goto', { threadId: 1, targetId: behind[0].id }), 9);
    same('is where it stops', [(await stopped).body.reason, await client.line()],
         ['exception', lineOf(wild, 'STG.E')]);
    await client.body('disconnect');
}

// ---------------------------------------------------------------- the console

async function typing() {
    let client = await started({ ...sums, stopOnEntry: true });
    const told = client.waitForEvent('stopped');
    await typed(client, `tbreak ${body}`);
    const answer = await typed(client, 'continue');
    ok('a move that was typed says where it is', answer.body.result.includes('IADD3 R3'), answer.body);
    same('and stops at its breakpoint', [(await told).body.reason, await client.line()], ['breakpoint', body]);
    await typed(client, 'step');
    const there = await client.line();
    await typed(client, '');
    ok('an empty line does the last one again', await client.line() !== there);
    const place = [await client.line(), (await client.top()).name];
    await typed(client, `break ${store}`);
    await typed(client, 'commands 2');
    await typed(client, 'echo reached');
    same('lines up to `end` are one command', (await typed(client, 'end')).success, true);
    same('a time that there is not', (await typed(client, 'goto 1:99999')).success, false);
    same('leaves it where it was', [await client.line(), (await client.top()).name], place);
    const complete = async (text, column = text.length + 1) =>
        (await client.body('completions', { text, column })).targets;
    same('completion of a list', (await complete('info al')).map(t => [t.label, t.start, t.length]),
         [['allocations', 6, 2]]);
    same('of a buffer, behind letters of two units', (await complete('print \u{1F600} ou')).map(t => [t.label, t.start]),
         [['out', 10]]);
    same('before what stands there', (await complete('rev 17', 4)).map(t => t.label).includes('reverse-step'), true);
    const end = client.waitForEvent('terminated');
    same('quit', (await typed(client, 'quit')).success, true);
    await end;
    same('nothing is there any more', await client.error('stackTrace', { threadId: 1 }), 4);
    await client.body('disconnect');
}

// A move within a request, which only what ends moves ends.
async function stopping() {
    const client = await started({ ...forever, stopOnEntry: true });
    const source = { path: endless };
    const begin = async line => {
        const start = client.waitForEvent('progressStart');
        const answer = typed(client, line);
        const { body: progress } = await start;
        return { answer, progress };
    };
    let { answer, progress } = await begin('continue');
    same('a move that was typed has progress', [progress.title, progress.cancellable, progress.requestId > 0],
         ['continue', true, true]);
    let [stop, paused] = await Promise.all([client.waitForEvent('stopped'), client.ask('pause', { threadId: 1 })]);
    same('pause ends it', [stop.body.reason, (await answer).success, paused.success], ['pause', true, true]);
    ok('which it says', (await answer).body.result.startsWith('interrupted'), (await answer).body);

    ({ answer, progress } = await begin('continue'));
    client.ask('cancel', { requestId: 1000000 });
    client.ask('threads');
    await client.waitForEvent('progressUpdate');
    ok('a cancel of another request does not', true);
    stop = client.waitForEvent('stopped');
    await client.ask('cancel', { requestId: progress.requestId });
    same('one of this does', [(await stop).body.reason, (await answer).success], ['pause', true]);
    ({ answer, progress } = await begin('continue'));
    stop = client.waitForEvent('stopped');
    await client.ask('cancel', { progressId: progress.progressId });
    same('and of its progress', [(await stop).body.reason, (await answer).success], ['pause', true]);

    // Backwards, over a breakpoint that no time holds.
    const before = (await client.value('R2')).value;
    await client.body('setBreakpoints', { source, breakpoints: [{ line: lineOf(endless, 'BRA') }] });
    await typed(client, 'condition 1 R2 == 0xffffffff');
    ({ answer, progress } = await begin('reverse-continue'));
    await client.ask('pause', { threadId: 1 });
    ok('backwards, too', (await answer).body.result.startsWith('interrupted'), await answer);
    same('it is where it was', (await client.value('R2')).value, before);
    const { targets } = await client.body('gotoTargets', { source, line: lineOf(endless, 'MOV R2') });
    const start = client.waitForEvent('progressStart');
    const going = client.ask('goto', { threadId: 1, targetId: targets[0].id });
    const id = (await start).body.requestId;
    stop = client.waitForEvent('stopped');
    await client.ask('cancel', { requestId: id });
    same('goto is cancelled', [(await going).message, (await stop).body.reason], ['cancelled', 'pause']);

    await client.body('reverseContinue', { threadId: 1 });
    client.ask('cancel', { requestId: 1000000 });
    await client.waitForEvent('progressUpdate');
    same('a reverse move goes on behind a cancel that is not its own', (await client.go('pause')).reason, 'pause');
    await typed(client, 'delete');
    ({ answer } = await begin('continue'));
    const gone = client.waitForEvent('terminated');
    await client.body('terminate');
    await gone;
    same('terminate ends it', (await answer).success, true);
    const exit = ended(client);
    client.ask('disconnect');
    same('and disconnect the process', await exit, 0);
}

// Checkers run before there is a debugger, here without end.
async function launching() {
    const client = new Client();
    await client.start();
    await client.body('initialize', { adapterID: 'fhec' });
    let launch = client.ask('launch', { ...forever, checks: true });
    await client.ask('cancel', { requestId: client.sequence - 1 });
    same('a launch that takes long is cancelled', [(await launch).message, (await launch).success],
         ['cancelled', false]);
    launch = client.ask('launch', { ...forever, checks: true });
    await client.body('terminate');
    same('or terminated', (await launch).success, false);
    const other = new Client();
    await other.start();
    await other.body('initialize', { adapterID: 'fhec' });
    const exit = ended(other);
    other.ask('launch', { ...forever, checks: true });
    other.ask('disconnect');
    same('or left', await exit, 0);
    await client.body('disconnect');
}

// ---------------------------------------------------------------- every request, at every point

const source = { path: loop }, thread = { threadId: 1 };
// The points of a session: how to come there, and what a request is told that comes too early or late.
const points = {
    new: [4, async client => client.start()],
    initialized: [4, async client => { await points.new[1](client); await client.body('initialize', { adapterID: 'x' }); }],
    configured: [4, async client => {
        await points.initialized[1](client);
        await Promise.all([client.waitForEvent('initialized'), client.body('launch', { ...client.guest, stopOnEntry: true })]);
    }],
    stopped: [4, async client => {
        await points.configured[1](client);
        await Promise.all([client.waitForEvent('stopped'), client.body('configurationDone')]);
        await client.go('stepIn'); // a block has registers from its first instruction on
    }],
    faulty: [4, async client => { client.guest = faulty; await points.stopped[1](client); await client.go('continue'); }],
    moving: [5, async client => {
        client.guest = forever;
        await points.stopped[1](client);
        await client.body('continue', thread);
    }],
    ended: [4, async client => {
        await points.stopped[1](client);
        await Promise.all([client.waitForEvent('terminated'), client.body('continue', thread)]);
    }],
};
const anywhere = Object.keys(points), launched = anywhere.slice(2), looks = ['configured', 'stopped', 'faulty'],
      stands = ['stopped', 'faulty'];
const here = async client => (await client.top()).instructionPointerReference;
const scopes = async client => (await client.body('scopes', { frameId: (await client.top()).id })).scopes;
// Each request with arguments, where it succeeds, and whether the session is another one behind it.
const requests = [
    ['initialize', { adapterID: 'x' }, ['new'], true],
    ['launch', sums, ['initialized'], true],
    ['attach', {}, []],
    ['configurationDone', {}, ['configured'], true],
    ['restart', {}, launched, true],
    ['terminate', {}, anywhere.slice(1), true],
    ['disconnect', {}, anywhere, true],
    ['cancel', { requestId: 99999 }, anywhere],
    ['setBreakpoints', { source, breakpoints: [] }, launched],
    ['setFunctionBreakpoints', { breakpoints: [] }, launched],
    ['setInstructionBreakpoints', { breakpoints: [] }, launched],
    ['setDataBreakpoints', { breakpoints: [] }, launched],
    ['setExceptionBreakpoints', { filters: ['fault'] }, launched],
    ['dataBreakpointInfo', { name: 'out[0]' }, looks],
    ['breakpointLocations', { source, line: 1 }, launched],
    ['gotoTargets', { source, line: 1 }, looks],
    ['goto', async client => ({ ...thread, targetId: (await client.body('gotoTargets', { source: (await client.top()).source,
        line: client.guest === faulty ? lineOf(wild, 'MOV R3') : body })).targets[+(client.guest === faulty)].id }), stands, true],
    ['continue', thread, stands, true],
    ['next', thread, stands, true],
    ['stepIn', thread, stands, true],
    ['stepOut', thread, stands, true],
    ['stepBack', thread, stands, true],
    ['reverseContinue', thread, stands, true],
    ['pause', thread, launched, true],
    ['exceptionInfo', thread, ['faulty'], false, { stopped: 7 }],
    ['threads', {}, launched],
    ['stackTrace', thread, looks],
    ['scopes', async client => ({ frameId: (await client.top()).id }), looks],
    ['variables', async client => ({ variablesReference: (await scopes(client))[0].variablesReference }), looks],
    ['setVariable', async client => ({ name: 'R2', value: '7', variablesReference:
        (await scopes(client)).find(s => s.name.startsWith('Registers')).variablesReference }), stands],
    ['evaluate', { expression: '1 + 1', context: 'watch' }, looks],
    ['setExpression', { expression: 'R2', value: '1' }, stands],
    ['completions', { text: 's', column: 2 }, looks],
    ['source', { sourceReference: 1 }, launched],
    ['loadedSources', {}, launched],
    ['modules', {}, launched],
    ['readMemory', { memoryReference: '0x0', count: 1 }, looks],
    ['writeMemory', async client => ({ memoryReference: (await client.body('variables', { variablesReference:
        (await scopes(client)).find(s => s.name === 'Buffers').variablesReference })).variables[0].memoryReference,
        data: 'AAAA' }), looks],
    ['disassemble', async client => ({ memoryReference: await here(client), instructionCount: 1 }), looks],
    ...['restartFrame', 'stepInTargets', 'terminateThreads', 'locations'].map(name => [name, { threadId: 1 }, [], false, 11]),
    ['nonsense', {}, [], false, 2],
];

async function at(point, guest = sums) {
    const client = new Client();
    client.guest = guest;
    await points[point][1](client);
    return client;
}
async function everything() {
    for (const point of anywhere) {
        const got = [], wanted = [];
        const all = await at(point);
        for (const [name, args, where, changes, otherwise] of requests) {
            const client = changes ? await at(point) : all;
            const fine = where.includes(point);
            const given = typeof args === 'function' ? fine ? await args(client) : { frameId: 1, variablesReference: 1,
                memoryReference: '0x0', instructionCount: 1, ...thread, targetId: 1, name: 'R1', value: '1', data: '' } : args;
            const result = await client.error(name, given);
            got.push([name, result]);
            const error = typeof otherwise === 'number' ? otherwise
                        : otherwise && otherwise[point] ? otherwise[point]
                        : name === 'attach' && point === 'initialized' ? 11
                        : ['setVariable', 'setExpression'].includes(name) && point === 'configured' ? result
                        : looks.includes(point) || !launched.includes(point) ? 4 : points[point][0];
            wanted.push([name, fine ? 'success' : error]);
            if (changes)
                client.leave();
        }
        all.leave();
        for (let i = 0; i < got.length; i++)
            if (JSON.stringify(got[i]) !== JSON.stringify(wanted[i]))
                ok(`${point}: ${got[i][0]}`, false, got[i], wanted[i]);
        ok(`${requests.length} requests to a session that is ${point}`, true);
    }
}

module.exports = { at, ended, forever };
run([lines, typing, stopping, launching, everything], 40);
