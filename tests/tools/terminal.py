"""terminal.py - a program in a terminal of its own: keys in, what it prints out."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

LIMIT = 30  # seconds that a text may take to come, however busy the machine is
SEQUENCE = re.compile(rb"\x1b(\[[0-9;?]*[ -/]*[@-~]|[()][0-9A-Za-z]|[=>]|\][^\x07]*\x07)")


class Terminal:
    """`environment` replaces variables; None takes one away. `ignored` signals are so from the
    beginning on."""

    def __init__(self, command, rows=24, columns=80, environment=None, ignored=()):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            for name, value in (environment or {}).items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            try:
                os.execv(command[0], command)
            finally:
                os._exit(127)
        self.raw = b""  # what has come and has not been expected yet
        self.status = None

    def resize(self, rows, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys):
        os.write(self.file, keys.encode())

    def _fill(self, seconds):
        """False: nothing more will come."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            more = os.read(self.file, 65536)
        except OSError:  # the other side is closed
            return False
        self.raw += more
        return bool(more)

    def compute(self, seconds=0.2):
        """Waits until the program has computed for so long: what was sent before has begun."""

        def used():
            with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        begin = used()
        end = time.monotonic() + LIMIT
        while used() < begin + seconds and time.monotonic() < end:
            self._fill(0.02)

    def reads_keys(self):
        """Waits until the program takes Ctrl-C and Ctrl-D as keys like others."""
        end = time.monotonic() + LIMIT
        while termios.tcgetattr(self.file)[3] & termios.ISIG and time.monotonic() < end:
            self._fill(0.02)

    def text(self):
        return SEQUENCE.sub(b"", self.raw).decode(errors="replace").replace("\r", "")

    def expect(self, wanted):
        """Reads up to the text and drops it; whether it has come."""
        end = time.monotonic() + LIMIT
        alive = True
        while wanted not in self.text():
            if not alive or time.monotonic() > end:
                return False
            alive = self._fill(0.1)
        self.raw = self.text().split(wanted, 1)[1].encode()
        return True

    def end(self, hang_up=False):
        """Waits for the end of the program; its exit status, or minus the signal that it died of;
        None: it does not end."""
        end = time.monotonic() + LIMIT
        if hang_up:
            os.close(self.file)
            self.file = -1
        while self.status is None and time.monotonic() < end:
            if self.file >= 0:
                self._fill(0.05)
            else:
                time.sleep(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.file >= 0:
            os.close(self.file)
        return self.status
