// changes.js FOLDER: what a client of `fhec dap` ($FHEC) changes: instructions, words of the kernel,
// shared memory and parameters. Prints TAP.
'use strict';
const { folder, lineOf, ok, run, same, started, write } = require('./client.js');

const total = write('total.sass', `.target sm_80
.kernel total
.param out, 8
.param n, 4
.shared table, 128
.reg sum = R3
    S2R R0, SR_TID.X ;
    MOV R2, RZ ;
    MOV sum, RZ ;
again:
    IADD3 sum, sum, R2, RZ ;
    IADD3 R2, R2, 0x1, RZ ;
    STS [table+4], sum ;
    ISETP.LT.U32.AND P0, PT, R2, n, PT ;
@P0 BRA again ;
    MOV R4, 0x4 ;
    IMAD.WIDE.U32 R6, R0, R4, out ;
    STG.E [R6.64], sum ;
    EXIT ;
.end
`);
const launch = { program: total, cwd: folder, stopOnEntry: true,
                 args: ['--grid', '1', '--block', '32', '--arg', 'n=10', '--out', 'out=total.out:128'] };
const typed = async (client, line) =>
    (await client.body('evaluate', { expression: line, context: 'repl' })).result;

async function instructions() {
    const client = await started(launch);
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'again' }] });
    await client.go('continue');
    await client.go('continue'); // 0 so far, and 1 to come
    ok('an instruction is executed', /R3 lanes 0xffffffff: 0x0 -> 0x64/.test(
        await typed(client, 'asm IADD3 sum, sum, 0x64, RZ')));
    same('its result is there', (await client.value('R3')).value.split(' ')[0], '100');
    same('one that faults is an error', await client.error('evaluate',
         { expression: 'asm STG.E [R6.64], sum', context: 'repl' }), 8);
    same('so is a branch', await client.error('evaluate', { expression: 'asm EXIT', context: 'repl' }), 8);
    const here = (await client.top()).instructionPointerReference;
    const told = client.waitForEvent('invalidated');
    ok('a word is patched', /in place of IADD3 R3, R3, R2, RZ/.test(
        await typed(client, 'patch IADD3 sum, sum, 0x2, RZ')));
    same('all that is shown may be other', (await told).body.areas, ['all']);
    const code = await client.body('disassemble', { memoryReference: here, instructionCount: 2 });
    same('it is disassembled', code.instructions.map(i => i.instruction),
         ['IADD3 R3, R3, 0x2, RZ', 'IADD3 R2, R2, 0x1, RZ']);
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op STG' }] });
    await client.go('continue');
    same('nine rounds of 2 and what was added', (await client.value('R3')).value.split(' ')[0], '118');
    const back = client.waitForEvent('stopped');
    ok('undone, it is where it was made', /back to where patch 1 began/.test(await typed(client, 'patch undo')));
    await back;
    same('which the client is told', await client.line(), lineOf(total, 'IADD3 sum, sum, R2'));
    await client.go('continue');
    same('and the kernel adds 0 to 9 again', (await client.value('R3')).value.split(' ')[0], '145');
    await client.body('disconnect');
}

async function memory() {
    const client = await started(launch);
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op ISETP' }] });
    await client.go('continue');
    const shared = await client.scope('Shared memory');
    let set = await client.body('setVariable', { variablesReference: shared.variablesReference,
                                                 name: '[1]', value: '7' });
    same('a word of shared memory', set.value.split(' ')[0], '7');
    set = await client.body('setExpression', { expression: 'shared[8]', value: '0x1000 + 1' });
    same('and one by an expression', set.value, '4097');
    same('that is there', (await client.body('variables', shared)).variables.slice(1, 3)
         .map(v => +v.value.split(' ')[0]), [7, 4097]);
    set = await client.body('setExpression', { expression: 'out[3]', value: '5' });
    same('an element of a buffer', set.value, '5');
    const parameters = await client.scope('Parameters');
    set = await client.body('setVariable', { variablesReference: parameters.variablesReference,
                                             name: 'n', value: '3' });
    same('a parameter', (await client.value('n', 'Parameters')).value, '0x3');
    same('an address is none', await client.error('setVariable', {
        variablesReference: parameters.variablesReference, name: 'out', value: '3' }), 9);
    same('what is no place', await client.error('setExpression', { expression: '3', value: '5' }), 8);
    same('what is no value', await client.error('setExpression', { expression: 'shared[8]', value: '5 +' }), 8);
    same('what is out of range', await client.error('setExpression',
         { expression: 'shared[0x1000]', value: '5' }), 8);
    await client.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op STG' }] });
    await client.go('continue');
    same('the launch ends after three rounds', (await client.value('R3')).value.split(' ')[0], '3');
    await client.body('disconnect');
}

run([instructions, memory], 12);
