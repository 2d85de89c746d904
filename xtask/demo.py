#!/usr/bin/env python3
"""Records the animated picture of the README: python3 xtask/demo.py (needs tmux and a release build).

The real programs run in a terminal of tmux. Every screen becomes part of docs/images/demo.svg, which needs no script: rows of text are
shown and hidden by CSS. Readers who prefer less motion, and programs that know no animation, see one still screen.
"""

import re
import shutil
import subprocess
import tempfile
import time
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "docs/images/demo.svg"
COLUMNS, ROWS = 62, 22
CELL, LINE, MARGIN = 8.4, 16.4, 14
BACKGROUND, TEXT = "#1e2127", "#d7dae0"

# Seconds that a screen is shown: while a character is typed, while something moves, and before Enter.
TYPED, MOVING, READ = 0.04, 0.09, 0.5

# What is typed in the shell or pressed in the game, and how long the result is shown.
SCRIPT = [
    ("type", "tictac play --o casual --seed 3", 1.2),
    ("press", "5", 1.2),
    ("press", "h", 2.2),
    ("still", "", 0),
    ("press", "1", 1.2),
    ("press", "3", 1.2),
    ("press", "2", 2.5),
    ("press", "q", 0.2),
    ("press", "C-l", 0.3),
    ("type", "cat game.ttt", 0.8),
    ("type", "tictac show game.ttt", 2.6),
    ("press", "C-l", 0.3),
    ("type", "tictac solve --weak --rules 7,7,5 --certificate proof.txt", 1.5),
    ("type", "python3 verify.py proof.txt", 4.5),
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "verify/verify.py", folder)
        Path(folder, "game.ttt").write_text("1 X B2\n2 X A1\n")
        frames, still = record(Terminal(folder))
    OUTPUT.write_text(draw(frames, still))
    print(f"{OUTPUT.relative_to(ROOT)}: {sum(seconds for _, seconds in frames):.0f} s, {OUTPUT.stat().st_size} bytes")


class Terminal:
    """A shell in a terminal of tmux."""

    def __init__(self, folder):
        path = f"{ROOT}/target/release:/usr/bin:/bin"
        shell = f"env -i PS1='$ ' PS2='  ' PATH={path} HOME={folder} TERM=tmux-256color COLORFGBG='15;0' bash --norc --noprofile"
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", folder, shell)

    def tmux(self, *arguments):
        command = ["tmux", "-L", "tictac-demo", "-f", "/dev/null", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def send(self, *keys):
        self.tmux("send-keys", *keys)

    def screen(self):
        lines = self.tmux("capture-pane", "-e", "-p").split("\n")
        state = {}
        rows = [runs(line, state) for line in lines]
        return tuple((rows + [()] * ROWS)[:ROWS])

    def settled(self, quiet=0.7):
        """Yields the screens until nothing has changed for a while."""
        last, since = None, time.monotonic()
        while time.monotonic() - since < quiet:
            screen = self.screen()
            if screen != last:
                last, since = screen, time.monotonic()
                yield screen
            time.sleep(0.02)


def runs(line, state):
    """Splits a line into texts with their column, colour and weight. Attributes continue on the next line."""
    found, column = [], 0
    for part in re.split(r"(\x1b\[[\d;]*m)", line):
        if part.startswith("\x1b"):
            apply(part[2:-1], state)
        else:
            if part.strip():
                indent = len(part) - len(part.lstrip())
                style = (state.get("colour", TEXT), state.get("bold", False), state.get("dim", False))
                found.append((column + indent, part.strip(), *style))
            column += len(part)
    return tuple(found)


def apply(codes, state):
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            state.clear()
        elif code in (1, 2):
            state["bold" if code == 1 else "dim"] = True
        elif code == 39:
            state.pop("colour", None)
        elif code == 38 and numbers[:1] == [5]:
            state["colour"] = palette(numbers[1])
            del numbers[:2]
        elif 30 <= code <= 37 or 90 <= code <= 97:
            state["colour"] = palette(code - 30 if code < 90 else code - 82)
        elif code not in (22, 49):
            raise ValueError(f"unknown attribute {code} in {codes}")


def palette(index):
    """Returns a colour of the 256 that terminals agree on."""
    basic = "#5c6370 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d7dae0".split()
    if index < 16:
        return basic[index % 8]
    if index >= 232:
        return "#" + f"{8 + 10 * (index - 232):02x}" * 3
    levels = [0, 95, 135, 175, 215, 255]
    index -= 16
    return "#" + "".join(f"{levels[index // unit % 6]:02x}" for unit in (36, 6, 1))


def record(terminal):
    """Plays the script and returns the screens with their seconds, and the index of the still one."""
    frames, still = [], 0

    def add(screen, seconds):
        if frames and frames[-1][0] == screen:
            frames[-1] = (screen, frames[-1][1] + seconds)
        else:
            frames.append((screen, seconds))

    try:
        list(terminal.settled())
        for action, text, seconds in SCRIPT:
            if action == "still":
                still = len(frames) - 1
            elif action == "type":
                for character in text:
                    terminal.send("-l", character)
                    time.sleep(0.05)
                    add(terminal.screen(), TYPED)
                add(terminal.screen(), READ)
                terminal.send("Enter")
            else:
                terminal.send(text)
            if action != "still":
                for screen in terminal.settled():
                    add(screen, MOVING)
                add(terminal.screen(), seconds)
    finally:
        terminal.tmux("kill-server")
    return frames, still


def draw(frames, still):
    """Draws each different row once, with the times at which it is shown."""
    shown = {}
    time_of_frame, total = 0.0, sum(seconds for _, seconds in frames)
    for index, (screen, seconds) in enumerate(frames):
        for y, row in enumerate(screen):
            if row:
                times = shown.setdefault((y, row), [[], False])
                times[1] |= index == still
                if times[0] and abs(times[0][-1][1] - time_of_frame) < 1e-6:
                    times[0][-1][1] = time_of_frame + seconds
                else:
                    times[0].append([time_of_frame, time_of_frame + seconds])
        time_of_frame += seconds
    groups = {}
    for (y, row), (times, is_still) in shown.items():
        key = (tuple(map(tuple, times)), is_still)
        groups.setdefault(key, []).append(draw_row(y, row))
    rules, parts = [], []
    for number, ((times, is_still), rows) in enumerate(groups.items()):
        steps = ["0%{visibility:hidden}"] if times[0][0] > 0 else []
        for start, end in times:
            steps.append(f"{100 * start / total:.2f}%{{visibility:visible}}")
            if end < total - 1e-6:
                steps.append(f"{100 * end / total:.2f}%{{visibility:hidden}}")
        rules.append(f"@keyframes k{number}{{{''.join(steps)}}}.k{number}{{animation-name:k{number}}}")
        parts.append(f'<g class="k{number}{" s" if is_still else ""}">{"".join(rows)}</g>')
    width, height = COLUMNS * CELL + 2 * MARGIN, ROWS * LINE + 2 * MARGIN
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">
<title>A game in the terminal, an error in a record, and a proof that a second program checks</title>
<style>
text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:{TEXT};white-space:pre}}
.b{{font-weight:bold}}.d{{opacity:.65}}
g{{visibility:hidden;animation:{total:.2f}s step-end infinite}}g.s{{visibility:visible}}
@media (prefers-reduced-motion:reduce){{g{{animation:none}}}}
{"".join(rules)}
</style>
<rect x=".5" y=".5" width="{width - 1:g}" height="{height - 1:g}" rx="8" fill="{BACKGROUND}" stroke="#5c6370"/>
{chr(10).join(parts)}
</svg>
"""


def draw_row(y, row):
    texts = []
    for column, text, colour, bold, dim in row:
        names = "b" * bold + " " * (bold and dim) + "d" * dim
        style = (f' class="{names}"' if names else "") + (f' style="fill:{colour}"' if colour != TEXT else "")
        place = f'x="{MARGIN + column * CELL:g}" y="{MARGIN + y * LINE + 12.6:g}" textLength="{len(text) * CELL:g}"'
        texts.append(f"<text {place}{style}>{escape(text, quote=False)}</text>")
    return "".join(texts)


if __name__ == "__main__":
    main()
