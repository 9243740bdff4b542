// again.js FOLDER: sessions of `fhec dap` ($FHEC) that begin again, and several clients of one port.
// Prints TAP.
'use strict';
const cp = require('child_process');
const fs = require('fs');
const net = require('net');
const { once } = require('events');
const { Client, endless, fhec, folder, lineOf, loop, ok, run, same, started, sums, wild, write } =
    require('./client.js');

const store = lineOf(loop, 'STG.E');
const forever = { program: endless, cwd: folder, args: ['--grid', '1', '--block', '32'] };
const faulty = { program: wild, cwd: folder, args: ['--grid', '1', '--block', '32', '--out', 'out=w.out:16'] };
const entry = { stopOnEntry: true };
const names = (client, event, from) => client.messages.slice(from).filter(m => m.event === event)
    .map(m => [m.body.reason, (m.body.module || m.body.source).name]);

// ---------------------------------------------------------------- restart

async function points() {
    // Before configurationDone the session is launched again, and is not waited for once more.
    let client = new Client();
    await client.start();
    await client.body('initialize', { adapterID: 'x' });
    await Promise.all([client.waitForEvent('initialized'), client.body('launch', { ...sums, ...entry })]);
    same('before it has begun', (await client.go('restart')).reason, 'entry');
    const { breakpoints } = await client.body('setBreakpoints', { source: { path: loop }, breakpoints: [{ line: store }] });
    await client.go('continue');
    let stop = await client.go('restart');
    same('at a breakpoint', [stop.reason, await client.line()], ['entry', lineOf(loop, 'SR_TID')]);
    stop = await client.go('continue');
    same('which is there again', [stop.reason, stop.hitBreakpointIds], ['breakpoint', [breakpoints[0].id]]);
    const number = client.messages.length;
    stop = await client.go('restart', { arguments: { ...faulty, ...entry } });
    same('with another program', [stop.reason, await client.line()], ['entry', lineOf(wild, 'MOV R2')]);
    same('modules go and come', names(client, 'module', number), [['removed', 'loop.sass'], ['new', 'wild.sass']]);
    same('and sources', names(client, 'loadedSource', number), [['removed', 'loop.sass'], ['new', 'wild.sass']]);
    const changed = client.messages.slice(number).find(m => m.event === 'breakpoint');
    same('whose breakpoints are told not to be good', [changed.body.breakpoint.id, changed.body.breakpoint.verified],
         [breakpoints[0].id, false]);
    stop = await client.go('continue');
    same('its fault', stop.reason, 'exception');
    stop = await client.go('restart');
    same('at a fault', [stop.reason, await client.line()], ['entry', lineOf(wild, 'MOV R2')]);
    await client.go('restart', { arguments: { ...forever, ...entry } });
    await client.body('continue', { threadId: 1 });
    stop = await client.go('restart');
    same('while it runs', [stop.reason, await client.line()], ['entry', lineOf(endless, 'MOV R2')]);
    const end = client.waitForEvent('terminated');
    await client.body('restart', { arguments: { ...sums, program: 'none.sass' } });
    await end;
    same('with a program that is not there it ends', await client.error('stackTrace', { threadId: 1 }), 4);
    stop = await client.go('restart', { arguments: { ...sums, ...entry } });
    same('and can begin again', [stop.reason, await client.line()], ['entry', lineOf(loop, 'SR_TID')]);
    same('the first breakpoint is good again', client.messages.filter(m => m.event === 'breakpoint').pop()
        .body.breakpoint.verified, true);
    same('arguments of the wrong shape', await client.error('restart', { arguments: { ...sums, args: 3 } }), 3);
    same('change nothing', await client.line(), lineOf(loop, 'SR_TID'));
    await client.body('disconnect');
}

// The file has been edited since.
async function edited() {
    const source = `.target sm_80\n.kernel K\n    MOV R1, 0x11 ;\n    EXIT ;\n.end\n`;
    const program = write('edited.sass', source);
    const client = await started({ program, cwd: folder, args: ['--grid', '1', '--block', '32'], ...entry });
    await client.go('stepIn');
    same('before it is edited', (await client.value('R1')).value.split(' ')[0], '17');
    write('edited.sass', source.replace('0x11', '0x22'));
    await client.go('restart');
    await client.go('stepIn');
    same('and behind', (await client.value('R1')).value.split(' ')[0], '34');
    write('edited.sass', source.replace('MOV', 'MOVE'));
    const number = client.messages.length, end = client.waitForEvent('terminated');
    await client.body('restart');
    await end;
    const said = client.messages.slice(number).filter(m => m.event === 'output').map(m => m.body.output).join('');
    ok('an error in it is told', /MOVE/.test(said), said);
    write('edited.sass', source);
    same('and mended', (await client.go('restart')).reason, 'entry');
    await client.body('disconnect');
}

// ---------------------------------------------------------------- a port

async function listen(...args) {
    const server = cp.spawn(fhec, ['dap', '--port', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [text] = await once(server.stderr, 'data');
    return { server, said: `${text}`, port: +(/127\.0\.0\.1:(\d+)/.exec(text) || [])[1] };
}
async function connected(port, launch) {
    const client = new Client();
    await client.start(port);
    client._socket.on('error', () => {});
    await client.body('initialize', { adapterID: 'x' });
    await Promise.all([client.waitForEvent('initialized'), client.body('launch', { ...launch, ...entry })]);
    await Promise.all([client.waitForEvent('stopped'), client.body('configurationDone')]);
    return client;
}
// How many processes the server has started that have not ended.
const children = ({ pid }) => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').length - 1;
async function until(condition) {
    for (let i = 0; i < 100 && !condition(); i++)
        await new Promise(done => setTimeout(done, 100));
    return condition();
}

async function clients() {
    const { server, port } = await listen('0');
    const one = await connected(port, sums), two = await connected(port, forever);
    await two.body('continue', { threadId: 1 });
    await one.body('setFunctionBreakpoints', { breakpoints: [{ name: 'op STG' }] });
    await one.go('continue');
    same('two clients, each with a guest', [await one.line(), await two.error('stackTrace', { threadId: 1 })], [store, 5]);
    two._socket.destroy();
    await one.go('stepBack');
    same('one that goes is no loss for the other', await one.line(), store - 1);
    same('its process ends, though its guest would not', await until(() => children(server) === 1), true);
    const three = await connected(port, sums);
    same('and there is room for another', await three.line(), lineOf(loop, 'SR_TID'));
    await three.body('terminate');
    await three.body('disconnect');
    const other = await listen(`${port}`);
    ok('the port is taken', /cannot listen/.test(other.said), other.said);
    // Half a message; nothing at all; and a client that never reads.
    for (const bytes of ['Content-Length: 100\r\n\r\n{"seq"', '', 'Content-Length: 0\r\n\r\n'.repeat(5000)]) {
        const client = net.connect(port, '127.0.0.1');
        await once(client, 'connect');
        client.on('error', () => {});
        client.pause();
        client.write(bytes);
        await new Promise(done => setTimeout(done, 50));
        client.destroy();
    }
    same('clients that say half a thing end', await until(() => children(server) === 1), true);
    await one.go('restart');
    same('the first one is there still', await one.line(), lineOf(loop, 'SR_TID'));
    server.kill('SIGKILL');
    await one.go('stepIn');
    same('and when the one that listens has gone', await one.line(), lineOf(loop, 'SR_CTAID'));
    await one.body('disconnect');
}

run([points, edited, clients], 20);
