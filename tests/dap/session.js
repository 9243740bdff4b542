// session.js FOLDER: sessions of `fhec dap` ($FHEC), driven by client.js. Prints TAP.
'use strict';
const fs = require('fs');
const path = require('path');
const { Client, endless, fhec, folder, lineOf, loop, ok, run, same, started, sums, top, wild, words,
        write } = require('./client.js');

const q = 1073479681;
const a = Array.from({ length: 256 }, (_, i) => (i * 7919 + 13) % q);
const b = Array.from({ length: 128 }, (_, i) => (i * 104729 + 5) % q);
const c = Array.from({ length: 128 }, (_, i) => (i * 1299709 + 3) % q);
words('a', a), words('b', b), words('c', c);
const matmul = path.join(top, 'tests/kernels/matmul.sass');
const product = { program: matmul, cwd: folder,
                  args: ['--grid', '1', '--block', '32', '--in', 'a=a', '--in', 'b=b', '--in',
                         'c_=c', '--out', 'd=d.out:512', '--arg', `modulus=modulus:${q}`] };

// ---------------------------------------------------------------- stories

async function walk() {
    const at = lineOf(matmul, 'STG.E');
    const client = await started({ ...product, stopOnEntry: true }, async d => {
        const { breakpoints } = await d.body('setBreakpoints', {
            source: { path: matmul }, breakpoints: [{ line: at }, { line: 1 }, { line: 9999 }] });
        same('breakpoints: on a line, moved to the next one with code, and nowhere',
             breakpoints.map(x => [x.verified, x.line]),
             [[true, at], [true, lineOf(matmul, 'S2R lane')], [false, 9999]]);
    });
    same('it stops on entry', [client.first.reason, await client.line()],
         ['entry', lineOf(matmul, 'S2R lane')]);
    let stop = await client.go('continue'); // the second breakpoint is at the entry
    stop = await client.go('continue');
    same('it stops at the breakpoint', [stop.reason, await client.line()], ['breakpoint', at]);
    const { stackFrames } = await client.body('stackTrace', { threadId: 1 });
    same('a repetition is a frame of the kernel', stackFrames.map(f => [f.name, f.line]),
         [['iteration 1 of .rept', at], ['matmul+0x01f0', at - 1]]);
    ok('frames have numbers of their own', stackFrames[0].id !== stackFrames[1].id);
    const few = await client.body('stackTrace', { threadId: 1, startFrame: 1, levels: 1 });
    same('frames come in parts', [few.stackFrames.length, few.stackFrames[0].name, few.totalFrames],
         [1, 'matmul+0x01f0', 2]);
    same('R8 of lane 0 is element 0 of A', (await client.value('R8')).value.split(' ')[0], `${a[0]}`);
    const row = (await client.value('R8')).variablesReference;
    const lanes = (await client.body('variables', { variablesReference: row })).variables;
    same('R8 of all lanes: rows 4g, columns t of A', lanes.map(v => +v.value.split(' ')[0]),
         Array.from({ length: 32 }, (_, l) => a[16 * (l >> 2) + (l & 3)]));
    const page = await client.body('variables',
                                   { variablesReference: row, filter: 'indexed', start: 5, count: 2 });
    same('variables come in pages', page.variables.map(v => v.name), ['[5]', '[6]']);
    same('a parameter is told with its buffer',
         /= d \+ 0$/.test((await client.value('d', 'Parameters')).value), true);
    await client.go('stepBack', { granularity: 'instruction' });
    stop = await client.go('reverseContinue');
    same('backwards to the breakpoint before', await client.line(), lineOf(matmul, 'S2R lane'));
    await client.body('setBreakpoints', { source: { path: matmul }, breakpoints: [] });
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op FHEC' }, { name: 'no' }] });
    stop = await client.go('continue');
    same('a breakpoint at an opcode', [stop.reason, await client.line()],
         ['function breakpoint', lineOf(matmul, 'FHEC.16816.U32.U32')]);
    const fragments = await client.scope('Fragments');
    const operands = (await client.body('variables', fragments)).variables;
    const A = operands.find(v => v.name === 'A');
    const rows = (await client.body('variables', A)).variables;
    const elements = (await client.body('variables', rows[3])).variables;
    same('row 3 of fragment A', elements.map(v => +v.value.split(' ')[0]), a.slice(48, 64));
    await origins(client);
    const d = b.length && Array.from({ length: 128 }, (_, i) => {
        let sum = BigInt(c[i]);
        for (let k = 0; k < 16; k++)
            sum += BigInt(a[16 * (i >> 3) + k]) * BigInt(b[8 * k + (i & 7)]);
        return Number(sum % BigInt(q));
    });
    await client.body('evaluate', { expression: 'watch origin R20', context: 'repl' });
    stop = await client.go('continue');
    same('a watchpoint of an origin', [stop.reason, stop.description],
         ['breakpoint', 'in lane 0: c_[0] -> computed at 0x1d0']);
    await client.body('evaluate', { expression: 'delete', context: 'repl' });
    same('C of lane 0 is D now: element (0, 0)', (await client.value('R20')).value.split(' ')[0],
         `${d[0]}`);
    await client.go('continue', {}, 'terminated');
    await client.body('disconnect');
    return d;
}

// Where the product's operands came from: lane 4g + t holds A[g + 8 (r & 1)][t + 4 (r / 2)] in R8 + r.
async function origins(client) {
    const scope = await client.scope('Origins');
    same('the scope of origins', [scope.name, scope.expensive], ['Origins of lane 0', true]);
    const all = (await client.body('variables', scope)).variables;
    const at = name => all.find(v => v.name === name);
    same('the maps of the matrices', ['A', 'B', 'C'].map(name => at(name).value),
         ['a[16*i + j]', 'b[8*i + j]', 'c_[8*i + j]']);
    const rows = (await client.body('variables', at('A'))).variables;
    same('a row of one', rows[3].value,
         Array.from({ length: 16 }, (_, j) => `a[${48 + j}]`).join(' '));
    const elements = (await client.body('variables', rows[3])).variables;
    same('an element of it', elements[5].value, 'a[53] (R10 of lane 13)');
    same('registers', ['R10', 'R20', 'UR4'].map(name => at(name).value.replace(/0x.*/, '')),
         ['a[4]', 'c_[0]', 'c[']);
    const lanes = (await client.body('variables', at('R10'))).variables;
    same('of all lanes', [lanes.length, lanes[13].value], [32, 'a[53]']);
    const over = await client.body('evaluate', { expression: 'R10', context: 'hover' });
    same('what is hovered over', over.result.replace(/^.*, /, ''), 'from a[4]');
    const named = await client.body('evaluate', { expression: 'A', context: 'hover' }); // .reg A = R8
    same('by its name in the source', named.result.replace(/^.*, /, ''), 'from a[0]');
    const watched = await client.body('evaluate', { expression: 'R10', context: 'watch' });
    same('what is watched has its value', /from/.test(watched.result), false);
}

async function stops() {
    const client = await started({ ...sums, stopOnEntry: true });
    const body = lineOf(loop, 'IADD3 R3');
    let set = await client.body('setBreakpoints', { source: { path: loop },
        breakpoints: [{ line: body, hitCondition: '3' }] });
    let stop = await client.go('continue');
    // Block 0 turns once, in two warps; the third hit is block 1's first warp.
    same('a hit condition', stop.threadId, 32 + 1);
    same('which breakpoint it was', stop.hitBreakpointIds, [set.breakpoints[0].id]);
    set = await client.body('setBreakpoints', { source: { path: loop },
        breakpoints: [{ line: body, logMessage: 'sum is {R3} of {R1}' }] });
    const said = client.assertOutput('console', 'sum is 0 of 1\n');
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op STG' }] });
    stop = await client.go('continue');
    await said;
    same('a log message does not stop', stop.reason, 'function breakpoint');
    await client.body('setBreakpoints', { source: { path: loop }, breakpoints: [] });
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'again' }, { name: 'sums+0x40' }] });
    stop = await client.go('continue');
    same('a label and an offset are the same place', await client.line(), body);
    const top = await client.top();
    await client.body('setFunctionBreakpoints', { breakpoints: [] });
    const instruction = await client.body('setInstructionBreakpoints', {
        breakpoints: [{ instructionReference: top.instructionPointerReference, offset: 16 },
                      { instructionReference: '0x10' }] });
    same('instructions by reference', instruction.breakpoints.map(x => x.verified), [true, false]);
    stop = await client.go('continue');
    same('an instruction breakpoint', [stop.reason, (await client.top(stop.threadId)).line],
         ['instruction breakpoint', lineOf(loop, '0x1, RZ')]);
    same('a thread whose block has ended', await client.error('stackTrace', { threadId: 1 }), 7);
    const stack = (await client.body('stackTrace', { threadId: stop.threadId })).stackFrames;
    same('a macro is a frame', stack.map(f => f.name), ['macro ADD_ONE', 'sums+0x0050']);
    await client.body('setInstructionBreakpoints', { breakpoints: [] });
    same('expressions', (await client.body('evaluate', { expression: 'R1 * 1000 + 7', context: 'watch' })).result,
         `${Math.floor((stop.threadId - 1) / 32) * 1000 + 7}`); // R1 is the block's number
    same('of all lanes', (await client.body('evaluate', { expression: 'R0@* > 40', context: 'watch' })).result,
         Array.from({ length: 32 }, (_, l) => `${32 * ((stop.threadId - 1) % 32) + l > 40}`).join(' '));
    same('an expression that is none', await client.error('evaluate', { expression: '1 +', context: 'watch' }), 8);
    await client.go('stepOut');
    same('out of it', (await client.top()).name, 'sums+0x0070');
    same('a source without a reference', await client.error('source', { sourceReference: 9 }), 7);
    const { variablesReference } = await client.scope('Registers');
    const info = await client.body('dataBreakpointInfo', { variablesReference, name: 'R3' });
    await client.body('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId, accessType: 'write' }] });
    stop = await client.go('continue');
    same('a register that is written', stop.reason, 'data breakpoint');
    const word = await client.body('dataBreakpointInfo', { name: 'out[129]' });
    ok('an element can be watched', word.dataId, word);
    const nothing = await client.body('dataBreakpointInfo', { name: 'nothing' });
    same('what is nothing cannot', nothing.dataId, null);
    await client.body('setDataBreakpoints', { breakpoints: [{ dataId: word.dataId, accessType: 'write' },
                                                         { dataId: 'x' }] });
    stop = await client.go('continue');
    same('an element that is written: by thread 1 of block 2', [stop.reason, stop.threadId],
         ['data breakpoint', 64 + 1]);
    await client.body('setDataBreakpoints', { breakpoints: [] });
    // Thread 37 of block 1 is lane 5 of its warp 1; its sum becomes 74.
    set = await client.body('setFunctionBreakpoints', { breakpoints: [
        { name: 'op STG', condition: 'R3 == 74' }, { name: 'op STG', condition: 'R3 ==' }] });
    same('conditions that can be read', set.breakpoints.map(x => x.verified), [true, false]);
    stop = await client.go('reverseContinue');
    same('a condition, backwards', [stop.reason, stop.threadId, (await client.scope('Registers')).name],
         ['function breakpoint', 32 + 2, 'Registers of lane 5']);
    await client.body('setFunctionBreakpoints', { breakpoints: [] });
    set = await client.body('setExceptionBreakpoints', { filters: ['fault', 'barrier', 'no'] });
    same('filters', set.breakpoints.map(x => x.verified), [true, true, false]);
    stop = await client.go('reverseContinue');
    same('a barrier, before', stop.reason, 'exception');
    const where = await client.body('breakpointLocations', { source: { path: loop }, line: 1, endLine: 40 });
    same('lines that can have breakpoints', where.breakpoints.map(x => x.line).slice(0, 4),
         [3, 4, 8, 9]);
    await client.body('disconnect');
}

async function change() {
    const client = await started({ ...sums, stopOnEntry: true });
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op STG' }] });
    await client.go('continue');
    let r = await client.scope('Registers');
    let set = await client.body('setVariable', { variablesReference: r.variablesReference,
                                                 name: 'R3', value: '0x2a' });
    same('a register that is set', set.value, '42 (0x0000002a)');
    set = await client.body('evaluate', { expression: 'R3', context: 'hover', format: { hex: true } });
    same('and asked for', set.result, '0x0000002a, from a number');
    set = await client.body('setExpression', { expression: 'R3', value: '17' });
    same('by an expression', set.value.split(' ')[0], '17');
    same('a text is no number', await client.error('setVariable',
         { variablesReference: r.variablesReference, name: 'R3', value: 'x' }), 8);
    same('a lane cannot be set', await client.error('setVariable',
         { variablesReference: (await client.scope('Lanes')).variablesReference, name: '[3]', value: '1' }), 9);
    const buffer = await client.value('out', 'Buffers');
    let memory = await client.body('readMemory', { memoryReference: buffer.memoryReference, count: 8 });
    const data = Buffer.from([1, 2, 3, 4, 250]).toString('base64');
    const wrote = await client.body('writeMemory',
                                    { memoryReference: buffer.memoryReference, offset: 256, data });
    same('bytes that are written', wrote.bytesWritten, 5);
    memory = await client.body('readMemory',
                               { memoryReference: buffer.memoryReference, offset: 256, count: 5 });
    same('and read', memory.data, data);
    memory = await client.body('readMemory',
                               { memoryReference: buffer.memoryReference, offset: 764, count: 16 });
    same('up to the end of the buffer', [Buffer.from(memory.data, 'base64').length, memory.unreadableBytes],
         [4, 12]);
    memory = await client.body('readMemory', { memoryReference: '0x0', count: 4 });
    same('where nothing is', [memory.data, memory.unreadableBytes], [undefined, 4]);
    same('no base64', await client.error('writeMemory',
         { memoryReference: buffer.memoryReference, data: '?' }), 3);
    const array = { variablesReference: buffer.variablesReference, name: '[3]' };
    const changed = client.waitForEvent('memory');
    set = await client.body('setVariable', { ...array, value: '-1' });
    same('an element that is set', set.value, '4294967295 (0xffffffff)');
    same('is told as memory', (await changed).body.count, 4);
    const top = await client.top();
    const code = await client.body('disassemble', { memoryReference: top.instructionPointerReference,
                                                   instructionOffset: -2, instructionCount: 4 });
    same('instructions around it', code.instructions.map(i => i.instruction.split(' ')[0]),
         ['IMAD', 'IMAD.WIDE.U32', 'STG.E', 'EXIT']);
    const out = await client.body('disassemble', { memoryReference: top.instructionPointerReference,
                                                  instructionOffset: 2, instructionCount: 3 });
    same('and behind the last one', out.instructions.map(i => i.presentationHint),
         ['invalid', 'invalid', 'invalid']);
    const said = await client.body('evaluate', { expression: 'print R3', context: 'repl' });
    ok('a command of the line mode', /0x11/.test(said.result), said);
    same('an unknown one', await client.error('evaluate', { expression: 'prinnt', context: 'repl' }), 8);
    const targets = (await client.body('completions', { text: 'rev', column: 4 })).targets;
    ok('completion of commands', targets.some(t => t.label === 'reverse-step'), targets);
    const sources = (await client.body('loadedSources')).sources;
    same('sources', sources.map(s => s.path), [loop]);
    await client.body('setFunctionBreakpoints', { breakpoints: [] });
    await client.go('stepBack');
    await client.go('stepBack');
    await client.go('next');
    same('over a line', await client.line(), lineOf(loop, 'IMAD.WIDE.U32'));
    await client.go('stepBack', { granularity: 'instruction' });
    await client.go('stepBack', { granularity: 'instruction' });
    same('back by instructions', await client.line(), lineOf(loop, 'MOV R4'));
    const again = await client.go('restart');
    same('a restart stops on entry', [again.reason, await client.line()],
         ['entry', lineOf(loop, 'SR_TID')]);
    await client.go('continue', {}, 'terminated');
    same('after the end nothing can be looked at', await client.error('stackTrace', { threadId: 1 }), 4);
    await client.body('disconnect');
}

async function running() {
    const client = await started({ program: endless, cwd: folder, stopOnEntry: true,
                                   args: ['--grid', '1', '--block', '32'] });
    await client.body('continue', { threadId: 1 });
    same('a request that needs a stop', await client.error('stackTrace', { threadId: 1 }), 5);
    const threads = (await client.body('threads')).threads;
    same('threads while it runs', threads.map(t => t.id), [1]);
    await client.body('setBreakpoints', { source: { path: endless }, breakpoints: [] });
    const update = await client.waitForEvent('progressUpdate');
    ok('progress is told', /instructions/.test(update.body.message), update);
    let stop = await client.go('pause');
    same('pause', stop.reason, 'pause');
    const ended = client.messages.filter(m => m.event === 'progressEnd').length;
    same('and its end', ended, 1);
    await client.body('continue', { threadId: 1 });
    const set = await client.body('setBreakpoints', { source: { path: endless },
        breakpoints: [{ line: lineOf(endless, 'BRA') }] });
    same('a breakpoint that is set while it runs', set.breakpoints[0].verified, true);
    await client.waitForEvent('stopped', 20000).catch(() => {});
    same('stops it', await client.line(), lineOf(endless, 'BRA'));
    await client.body('setBreakpoints', { source: { path: endless }, breakpoints: [] });
    await client.body('continue', { threadId: 1 });
    const gone = client.waitForEvent('terminated');
    await client.body('terminate');
    await gone;
    await client.body('disconnect');
}

// Two warps of a block store to the same word.
const racy = write('racy.sass', `.target sm_80
.kernel racy
.param out, 8
    ULDC.64 UR4, out ;
    MOV R2, UR4 ;
    MOV R3, UR5 ;
    S2R R0, SR_TID.X ;
    STG.E [R2.64], R0 ;
    EXIT ;
.end
`);
async function findings() {
    const client = await started({ program: racy, cwd: folder, stopOnEntry: true, checks: ['race'],
                                   args: ['--grid', '1', '--block', '64', '--out', 'out=r.out:4'] });
    await client.body('setExceptionBreakpoints', { filters: ['finding'] });
    const stop = await client.go('continue');
    same('a finding stops', [stop.reason, await client.line()], ['exception', lineOf(racy, 'STG.E')]);
    const info = await client.body('exceptionInfo', { threadId: client.thread });
    ok('which', /^C\d+$/.test(info.exceptionId) && info.description.startsWith(info.exceptionId), info);
    // First lanes of a warp against each other, then the other warp.
    same('the next one is of warp 1', (await client.go('continue')).threadId, 2);
    await client.go('reverseContinue');
    same('and back', client.thread, 1);
    await client.go('continue');
    await client.go('continue', {}, 'terminated');
    await client.body('disconnect');
}

// Launch 5 of a plan has no modulus; a case's kernel races. What finds it: tests/cli/debug_findings.sh.
async function planted() {
    let client = await started({ command: 'ckks', stopOnEntry: true, checks: ['operands'],
                                 args: ['hemult', '--logn', '10', '--limbs', '3', '--alpha', '1', '--dnum', '3',
                                        '--patch', 'ntt_cols+0x60 NOP launch 5'] });
    await client.body('setExceptionBreakpoints', { filters: ['finding'] });
    same('a finding in a later launch of a plan', (await client.go('continue')).reason, 'exception');
    same('where', (await client.top()).line, 182);
    same('which', (await client.body('exceptionInfo', { threadId: client.thread })).exceptionId, 'C060');
    await client.body('disconnect');

    client = await started({ command: 'test', program: path.resolve('tests/debug/race.sass') + ':sums', cwd: folder,
                             stopOnEntry: true, checks: ['race'] });
    await client.body('setExceptionBreakpoints', { filters: ['finding'] });
    same('a finding in a case of a test', (await client.go('continue')).reason, 'exception');
    same('which race', (await client.body('exceptionInfo', { threadId: client.thread })).exceptionId, 'C021');
    await client.body('disconnect');
}

async function faults() {
    let client = new Client();
    const launch = { program: wild, cwd: folder, args: ['--grid', '1', '--block', '32', '--out', 'out=w.out:16'] };
    await client.start();
    await client.body('initialize', { adapterID: 'fhec' });
    await Promise.all([client.waitForEvent('initialized'), client.body('launch', launch)]);
    const [stop] = await Promise.all([client.waitForEvent('stopped'), client.body('configurationDone')]);
    same('a fault', stop.body.reason, 'exception');
    same('where', await client.line(), lineOf(wild, 'STG.E'));
    same('origins at a fault, which the launch comes to once more',
         (await client.value('R2', 'Origins')).value, 'a number');
    const info = await client.body('exceptionInfo', { threadId: 1 });
    ok('which', /null pointer/.test(info.description), info);
    const r = await client.value('R2');
    same('its registers', r.value.split(' ')[0], '16');
    await client.go('stepBack');
    same('back from it', await client.line(), lineOf(wild, 'MOV R3'));
    same('no fault any more', await client.error('exceptionInfo', { threadId: 1 }), 7);
    await client.body('disconnect');

    client = new Client();
    await client.start();
    same('launch before initialize', await client.error('launch', launch), 4);
    same('threads before initialize', await client.error('threads'), 4);
    await client.body('initialize', { adapterID: 'fhec' });
    same('initialize twice', await client.error('initialize', { adapterID: 'fhec' }), 4);
    same('nothing can be attached to', await client.error('attach', {}), 11);
    same('an unknown request', await client.error('lunch', {}), 2);
    same('args is no list', await client.error('launch', { ...launch, args: 'x' }), 3);
    same('args has a number', await client.error('launch', { ...launch, args: [1] }), 3);
    same('no such command', await client.error('launch', { ...launch, command: 'walk' }), 6);
    same('no such file', await client.error('launch', { ...launch, program: 'none.sass' }), 6);
    same('no such folder', await client.error('launch', { ...launch, cwd: '/no/such' }), 6);
    write('broken.sass', '.target sm_80\n.kernel k\n    MOVE R1, R2 ;\n.end\n');
    const said = client.waitForEvent('output');
    same('a program with an error', await client.error('launch', { program: 'broken.sass', args: launch.args }), 6);
    ok('which is told', /MOVE/.test((await said).body.output), await said);
    same('a launch after all that', await client.error('launch', launch), 'success');
    for (const [name, command, args, id] of [
        ['a thread that is none', 'stackTrace', { threadId: 99 }, 4],
        ['a request without its argument', 'setFunctionBreakpoints', {}, 3],
        ['a list of the wrong things', 'setFunctionBreakpoints', { breakpoints: [{ name: 3 }] }, 3],
        ['a cancel of nothing', 'cancel', { requestId: 12345 }, 'success']])
        same(name, await client.error(command, args), command === 'stackTrace' ? id + 3 : id);
    await client.body('configurationDone').catch(() => {});
    await client.body('disconnect');
}

// An option that is wrong ends the process: the client hears of it before.
async function usage() {
    const client = new Client();
    await client.start();
    await client.body('initialize', { adapterID: 'fhec' });
    same('an option of run that is wrong',
         await client.error('launch', { program: loop, args: ['--gird', '1'] }), 6);
    same('is no end', await client.error('threads'), 4);
    const end = client.waitForEvent('terminated');
    same('an option that is wrong', await client.error('launch', { command: 'ckks', args: ['--glimbs', '1'] }), 6);
    await end;
    const output = client.messages.filter(m => m.event === 'output').map(m => m.body.output).join('');
    ok('and what is wrong with it', /gird/.test(output) && /glimbs/.test(output), output);
}

// What other commands launch; kernels of the tool itself have no files, their sources are asked for.
async function workloads() {
    let client = await started({ command: 'ckks', stopOnEntry: true,
                                 args: ['hemult', '--logn', '8', '--limbs', '3', '--alpha', '1'] });
    const frame = await client.top();
    ok('a source inside the tool', frame.source.sourceReference > 0 && !frame.source.path, frame.source);
    const text = (await client.body('source', { source: frame.source, sourceReference: 0 })).content;
    ok('and its line', text.split('\n')[frame.line - 1].includes(' ;'), frame.line);
    const { breakpoints } = await client.body('setFunctionBreakpoints',
                                              { breakpoints: [{ name: 'op FHEC', hitCondition: '3' }] });
    same('a breakpoint in all launches', breakpoints[0].verified, true);
    let stop = await client.go('continue');
    same('it is hit', stop.reason, 'function breakpoint');
    await client.body('setFunctionBreakpoints', { breakpoints: [] });
    await client.go('continue', {}, 'terminated');
    await client.go('restart');
    same('after the end it can begin again', (await client.top()).name, frame.name);
    await client.body('disconnect');

    client = await started({ command: 'test', program: `${matmul}:reduced`, cwd: folder,
                             stopOnEntry: true, engine: 'ref' });
    same('a case of a test', (await client.top()).name, 'matmul+0x0000');
    await client.body('terminate');
    same('terminated', await client.error('stackTrace', { threadId: 1 }), 4);
    await client.body('disconnect');
}

run([walk, stops, change, running, findings, planted, faults, usage, workloads], 47);
