#!/usr/bin/env python3
"""Checks tictac certificates: proofs of who wins a game of the tic-tac-toe family.

    python3 verify/verify.py FILE...        - is standard input; zstd -dc FILE | python3 verify/verify.py -

Written from docs/certificates.md and docs/notation.md alone. It shares no code with `tictac verify` and needs nothing but
Python 3. Prints one line per file. Exit status: 0 every proof is correct, 1 one is wrong, 2 one could not be read.

A board is an integer: bit s for X on square s, bit n_squares + s for O. Squares are counted from 0 by rows.
A position is a list of boards; the number of marks tells whose turn it is: player 0 moves when it is even.
"""
import functools
import re
import sys

MAX_LINE, MAX_ENTRIES, MAX_COMMENTS, MAX_BOARDS, MAX_PAIR_LINES = 4096, 50_000_000, 1_000_000, 1_000_000, 64


class Unreadable(Exception):
    """The text is not a certificate."""


class Wrong(Exception):
    """The certificate is not a proof."""


class Rules:
    """The grid, its lines and symmetries, and what completing a line means."""

    def __init__(self, text):
        size, words, self.n_boards = None, set(), None
        for word in text.lower().split(" "):
            if word.startswith("boards=") and self.n_boards is None:
                self.n_boards = whole(word[7:])
            elif size is None and re.fullmatch(r"[0-9]+,[0-9]+,[0-9]+|classic", word):
                size = [whole(number) for number in word.replace("classic", "3,3,3").split(",")]
            else:
                word = "misere" if word == "misère" else word
                if word in words or word not in ("misere", "wild", "x-only", "notakto"):
                    raise Unreadable(f"cannot read the rules {text!r}")
                words.add(word)
        if "notakto" in words:
            if size or len(words) > 1:
                raise Unreadable("notakto stands alone")
            words = {"x-only", "misere"}
        if not size and not words:
            raise Unreadable("no rules")
        self.n_rows, self.n_columns, self.k = size or (3, 3, 3)
        self.misere, self.wild, self.x_only = ("misere" in words, "wild" in words, "x-only" in words)
        self.own_marks = not self.wild and not self.x_only
        if self.wild and self.x_only or (self.n_boards or 1) > 1 and not self.x_only:
            raise Unreadable("these rules contradict each other")
        self.n_boards = 1 if self.n_boards is None else self.n_boards
        self.n_squares = self.n_rows * self.n_columns
        if not 1 <= self.k <= max(self.n_rows, self.n_columns) or not 1 <= self.n_squares <= 64:
            raise Unreadable("the grid is too large, or has no line")
        if not 1 <= self.n_boards <= MAX_BOARDS:
            raise Unreadable("wrong number of boards")
        self.all_squares = (1 << self.n_squares) - 1
        self.lines = self.find_lines()
        self.lines_through = [[line for line in self.lines if line >> s & 1] for s in range(self.n_squares)]
        self.images = self.find_symmetries()

    def find_lines(self):
        lines = set()
        for row in range(self.n_rows):
            for column in range(self.n_columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (self.k - 1), column + right * (self.k - 1)
                    if last_row < self.n_rows and 0 <= last_column < self.n_columns:
                        squares = ((row + down * i) * self.n_columns + column + right * i for i in range(self.k))
                        lines.add(sum(1 << s for s in squares))
        return sorted(lines)

    def find_symmetries(self):
        """For each symmetry, the bit that each bit of a board becomes."""
        m, n, result = self.n_rows, self.n_columns, []
        for transpose in (False, True) if m == n else (False,):
            for flip_rows in (False, True):
                for flip_columns in (False, True):
                    squares = []
                    for row in range(m):
                        for column in range(n):
                            r, c = (column, row) if transpose else (row, column)
                            squares.append((m - 1 - r if flip_rows else r) * n + (n - 1 - c if flip_columns else c))
                    result.append([1 << s for s in squares] + [1 << self.n_squares + s for s in squares])
        return result

    def split(self, board):
        return board & self.all_squares, board >> self.n_squares

    def empty(self, board):
        x, o = self.split(board)
        return self.all_squares & ~(x | o)

    def completed(self, board):
        """The completed lines, with their mark."""
        return [(line, mark) for mark, marks in enumerate(self.split(board)) for line in self.lines if marks & line == line]

    def all_images(self, board):
        """The images of a board under all symmetries."""
        bits = list(bits_of(board))
        return [sum(image[bit] for bit in bits) for image in self.images]


def whole(text):
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Unreadable(f"{text!r} is not a number")
    return int(text)


def bits_of(mask):
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@functools.lru_cache(1024)
def parse_square(rules, text):
    found = re.fullmatch(r"([A-Za-z]{1,2})([1-9][0-9]?)", text)
    if not found:
        raise Unreadable(f"{text!r} is not a square")
    letters, column = found[1].upper(), int(found[2]) - 1
    row = ord(letters[-1]) - 65 + (26 * (ord(letters[0]) - 64) if len(letters) == 2 else 0)
    if row >= rules.n_rows or column >= rules.n_columns:
        raise Unreadable(f"{text} is not on the board")
    return row * rules.n_columns + column


def parse_move(rules, mark, text):
    """Returns the number of the board and the bit that the move sets."""
    if mark.upper() not in ("X", "O") or len(mark) != 1:
        raise Unreadable(f"{mark!r} is not a mark")
    board = 0
    if rules.n_boards > 1:
        number, dot, text = text.partition(".")
        board = whole(number) - 1
        if not dot or number.startswith("0") or not 0 <= board < rules.n_boards:
            raise Unreadable("the move names no board")
    return board, parse_square(rules, text) + (rules.n_squares if mark.upper() == "O" else 0)


def parse_position(rules, text, side):
    """Returns the boards and the mark that opened the game (None where marks do not name players)."""
    boards, texts = [], text.upper().split("+")
    if len(texts) != rules.n_boards:
        raise Unreadable("wrong number of boards")
    for rows in (board.split("/") for board in texts):
        if len(rows) != rules.n_rows or any(len(row) != rules.n_columns for row in rows):
            raise Unreadable("the board has another size")
        squares = "".join(rows)
        if not set(squares) <= set("XO.") or rules.x_only and "O" in squares:
            raise Unreadable("a square holds an unknown mark")
        boards.append(sum(1 << s + (rules.n_squares if c == "O" else 0) for s, c in enumerate(squares) if c != "."))
    n_x, n_o = (sum(rules.split(board)[mark].bit_count() for board in boards) for mark in (0, 1))
    opener = None
    if rules.own_marks:
        to_move = "XO".find(side.upper()) if len(side) == 1 else -1
        # The opening mark is to move when both are equally frequent; otherwise it has one more.
        if to_move < 0 or n_x - n_o not in ((0, -1) if to_move == 0 else (0, 1)):
            raise Unreadable("the numbers of marks do not fit the side to move")
        opener = to_move if n_x == n_o else 1 - to_move
    elif side != "12"[(n_x + n_o) % 2]:
        raise Unreadable("the number of marks does not fit the side to move")
    for board in boards:
        completed, common = rules.completed(board), rules.all_squares
        for line, mark in completed:
            common &= line
            if mark != completed[0][1] or rules.own_marks and mark == to_move:
                raise Unreadable("no legal game reaches this position: a line of the wrong mark")
        if not common:
            raise Unreadable("no legal game reaches this position: lines that no single move completes")
    return boards, opener


class Certificate:
    """Reads a certificate line by line, then checks its strategies."""

    def __init__(self, source):
        self.source, self.number, self.n_comments = source, 0, 0

    def read_heading(self):
        self.version = {"tictac certificate 1": 1, "tictac certificate 2": 2}.get(self.next_line())
        if not self.version:
            raise Unreadable("the first line is not 'tictac certificate 1' or 'tictac certificate 2'")
        self.rules = Rules(self.next_line("rules "))
        words = self.next_line("start ").split(" ")
        if len(words) != 2:
            raise Unreadable("the start is not a position and the side to move")
        self.start, self.opener = parse_position(self.rules, *words)
        self.value = self.next_line("value ")
        if self.value not in ("win", "draw", "loss"):
            raise Unreadable("the value is not win, draw or loss")

    def next_line(self, prefix=""):
        while True:
            line = self.source.readline(MAX_LINE + 6)
            self.number += 1
            if self.number == 1 and line.startswith(b"\xef\xbb\xbf"):
                line = line[3:]
            line = line[:-1] if line.endswith(b"\n") else line
            line = line[:-1] if line.endswith(b"\r") else line
            if len(line) > MAX_LINE:
                raise Unreadable(f"the line has more than {MAX_LINE} bytes")
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise Unreadable("the line is not UTF-8") from None
            if self.number == 1 or not text.startswith("#"):
                break
            self.n_comments += 1
            if self.n_comments > MAX_COMMENTS:
                raise Unreadable(f"more than {MAX_COMMENTS} comments")
        if not text or not text.startswith(prefix):
            raise Unreadable(f"expected {prefix!r}" if prefix else "a blank line, or the text ends before 'end'")
        return text[len(prefix):]

    def check(self):
        """Returns the proved claim in words."""
        self.read_heading()
        to_move = sum(board.bit_count() for board in self.start) % 2
        claims = {"win": [(to_move, "wins")], "loss": [(1 - to_move, "wins")], "draw": [(0, "holds"), (1, "holds")]}
        line, counts, n_entries, strategies = self.next_line(), [], 0, []
        while line != "end":
            strategies.append(self.open_strategy(line))
            line = self.next_line()
            while not line.startswith("strategy ") and line != "end":
                n_entries += 1
                if n_entries > MAX_ENTRIES:
                    raise Unreadable(f"more than {MAX_ENTRIES} entries")
                line = strategies[-1].read_entry(line)
        if self.source.read(1):
            raise Unreadable("something follows 'end'")
        if [(strategy.owner, strategy.claim) for strategy in strategies] != claims[self.value]:
            raise Wrong(f"these strategies do not prove a {self.value}")
        for strategy in strategies:
            if strategy.how != "copies":
                strategy.check()
            elif any(self.start) or strategies[1].how != "blocks":
                raise Wrong("the first player can copy only if the board is empty and the second player blocks")
            counts.append(f"{('first', 'second')[strategy.owner]} player {strategy.how}: {strategy.n_entries} positions")
        return f"{self.value} ({', '.join(counts)})"

    def open_strategy(self, line):
        """The strategy with this heading, still without entries."""
        words = line.split(" ")
        if self.version == 2 and re.fullmatch("strategy (first|second) blocks( [^ ]*)?", line):
            return Blocking(self, words[1], [parse_square(self.rules, square) for square in words[3:]])
        copies = self.version == 2 and line == "strategy first copies"
        if not copies and not re.fullmatch("strategy (first|second) (wins|holds)", line):
            raise Unreadable("expected a strategy or 'end'")
        return Strategy(self, *words[1:])


class Strategy:
    """What the owner does in each position that the text lists."""

    def __init__(self, certificate, name, how):
        self.certificate, self.rules, self.owner = certificate, certificate.rules, ("first", "second").index(name)
        self.how, self.claim, self.n_entries = how, "wins" if how == "wins" else "holds", 0
        self.entries = {}  # from the canonical image to (line number, boards as written, move, leaf)

    def read_entry(self, line):
        """Reads the entry that begins with this line. Returns the line after it."""
        if self.how == "copies":
            raise Unreadable("a strategy that copies has no entries")
        self.add_entry(line)
        self.n_entries += 1
        return self.certificate.next_line()

    def mark_of(self, player):
        return self.certificate.opener ^ player

    def add_entry(self, line):
        rules, words, move, leaf = self.rules, line.split(" "), None, None
        boards, opener = parse_position(rules, words[0], words[1] if len(words) > 1 else "")
        if opener != self.certificate.opener:
            raise Unreadable("the other mark opened this game")
        rest = words[2:]
        if rest[:1] == ["move"] and len(rest) >= 3:
            move, rest = parse_move(rules, rest[1], rest[2]), rest[3:]
        if rest == ["weight"]:
            leaf = "weight"
        elif rest[:1] == ["pairs"]:
            leaf = [tuple(parse_square(rules, square) for square in pair.split("-")) for pair in rest[1:]]
            if any(len(pair) != 2 for pair in leaf):
                raise Unreadable("a pair has two squares")
        elif rest or move is None:
            raise Unreadable("expected a move, pairs or weight")
        if leaf is not None and rules.n_boards > 1:
            raise Unreadable("several boards have no pairs and no weight")
        key = self.key([rules.all_images(board) for board in boards])
        if key in self.entries:
            raise Wrong(f"a second entry for the position of line {self.entries[key][0]}")
        self.entries[key] = (self.certificate.number, boards, move, leaf)

    @staticmethod
    def key(images):
        return min(images[0]) if len(images) == 1 else tuple(sorted(min(board) for board in images))

    def check(self):
        rules, start = self.rules, self.certificate.start
        waiting, followed = [], set()
        living = [board for board in start if not rules.completed(board)]
        over = not living or not any(rules.empty(board) for board in living)
        if over:
            n_marks = sum(board.bit_count() for board in start)
            self.check_outcome(None if living else (1 - n_marks % 2) ^ rules.misere, start)
        else:
            self.arrive(start, [rules.all_images(board) for board in start], waiting, followed)
        while waiting:
            boards, move, leaf = waiting.pop()
            images = [rules.all_images(board) for board in boards]
            if move is not None:
                self.check_owner_to_move(boards)
                boards, images, over = self.play(boards, images, move)
                if over:
                    if leaf is not None:
                        raise Wrong("the game is over before the leaf")
                    continue
            if leaf is not None:
                self.check_leaf(boards[0], leaf)
                continue
            for reply in self.legal_moves(boards):
                after, images_after, over = self.play(boards, images, reply)
                if not over:
                    self.arrive(after, images_after, waiting, followed)
        for key, (number, boards, _, _) in self.entries.items():
            if key not in followed:
                self.fail(number, "this position is never reached")

    def fail(self, number, why):
        self.certificate.number = number
        raise Wrong(why)

    def check_owner_to_move(self, boards):
        if sum(board.bit_count() for board in boards) % 2 != self.owner:
            raise Wrong("a move for the opponent")

    def arrive(self, boards, images, waiting, followed):
        """Play has reached a position that is not over: put on the list what must be examined."""
        key = self.key(images)
        if key in self.entries:
            if key not in followed:
                followed.add(key)
                waiting.append(self.entries[key][1:])
        elif self.cannot_lose(boards):
            pass
        elif sum(board.bit_count() for board in boards) % 2 != self.owner:
            waiting.append((boards, None, None))
        elif not self.wins_at_once(boards):
            raise Wrong(f"no entry for {self.show(boards)}")

    def show(self, boards):
        rules, texts = self.rules, []
        for x, o in map(rules.split, boards):
            squares = "".join("X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.n_squares))
            texts.append("/".join(squares[i:i + rules.n_columns] for i in range(0, rules.n_squares, rules.n_columns)))
        return "+".join(texts)

    def marks_to_write(self, boards):
        player = sum(board.bit_count() for board in boards) % 2
        return [self.mark_of(player)] if self.rules.own_marks else [0, 1] if self.rules.wild else [0]

    def legal_moves(self, boards):
        rules, marks = self.rules, self.marks_to_write(boards)
        for number, board in enumerate(boards):
            if len(boards) == 1 or not rules.completed(board):
                for square in bits_of(rules.empty(board)):
                    for mark in marks:
                        yield number, square + mark * rules.n_squares

    def completes(self, board, bit):
        """Whether the mark just written (already on the board) completes a line."""
        mark, square = divmod(bit, self.rules.n_squares)
        marks = self.rules.split(board)[mark]
        return any(marks & line == line for line in self.rules.lines_through[square])

    def play(self, boards, images, move):
        """Makes a legal move. Returns the boards, their images, and whether the game is over, as the strategy claims."""
        rules, (number, bit) = self.rules, move
        if bit // rules.n_squares not in self.marks_to_write(boards):
            raise Wrong("the move has the wrong mark")
        if not rules.empty(boards[number]) >> bit % rules.n_squares & 1 or rules.completed(boards[number]):
            raise Wrong("the move is not possible")
        player = sum(board.bit_count() for board in boards) % 2
        board = boards[number] | 1 << bit
        after = boards[:number] + [board] + boards[number + 1:]
        if self.completes(board, bit) and all(rules.completed(other) for other in after):
            self.check_outcome(player ^ rules.misere, after)
            return after, None, True
        if not any(rules.empty(other) for other in after):
            self.check_outcome(None, after)
            return after, None, True
        moved = [image | bits[bit] for image, bits in zip(images[number], rules.images)]
        return after, images[:number] + [moved] + images[number + 1:], False

    def check_outcome(self, winner, boards):
        """Compares the winner (None for a draw) with the claim."""
        if winner != self.owner and (winner is not None or self.claim == "wins"):
            raise Wrong(f"{self.show(boards)} is not what the strategy claims")

    def wins_at_once(self, boards):
        """Whether the player to move, the owner, has a move that wins."""
        if self.rules.misere:
            return False
        for number, bit in self.legal_moves(boards):
            board = boards[number] | 1 << bit
            if self.completes(board, bit) and (len(boards) == 1 or all(
                    i == number or self.rules.completed(other) for i, other in enumerate(boards))):
                return True
        return False

    def open_lines(self, board, player):
        """The empty squares of each line that the player has turns enough to complete."""
        rules, n_marks = self.rules, board.bit_count()
        n_empty = rules.n_squares - n_marks
        n_turns = (n_empty + 1) // 2 if n_marks % 2 == player else n_empty // 2
        other, empty = rules.split(board)[self.mark_of(1 - player)], rules.empty(board)
        return [line & empty for line in rules.lines if not line & other and (line & empty).bit_count() <= n_turns]

    def cannot_lose(self, boards):
        """The third case in which no entry is needed."""
        if self.claim == "wins" or self.rules.x_only:
            return False
        if self.rules.wild:
            x, o = self.rules.split(boards[0])
            return all(line & x and line & o for line in self.rules.lines)
        return not self.open_lines(boards[0], self.owner if self.rules.misere else 1 - self.owner)

    def check_leaf(self, board, leaf):
        """Applies one of the two theorems."""
        if self.claim == "wins" or not self.rules.own_marks or self.rules.misere:
            raise Wrong("the theorems do not apply here")
        lines, empty = self.open_lines(board, 1 - self.owner), self.rules.empty(board)
        if leaf == "weight":
            total = weight(lines)
            if board.bit_count() % 2 != self.owner:
                total += max(weight([line for line in lines if line >> s & 1]) for s in range(self.rules.n_squares))
            if total >= 1 << 64:
                raise Wrong("the lines weigh 1 or more")
            return
        squares = [square for pair in leaf for square in pair]
        if len(set(squares)) < len(squares) or any(not empty >> square & 1 for square in squares):
            raise Wrong("the squares of the pairs are not empty and different")
        pairs = [1 << a | 1 << b for a, b in leaf]
        if not all(any(line & pair == pair for pair in pairs) for line in lines):
            raise Wrong("an open line contains no pair")


def weight(edges):
    return sum(1 << 64 - edge.bit_count() for edge in edges)


class Blocking(Strategy):
    """The owner prevents every line of the opponent. Each entry is checked when it is read.

    A board is a pair of bit sets: the opponent's marks, and the dead squares, which are written as `-`. The others are empty.
    An edge is a bit set of squares. In a bit set of edges, bit i stands for the edge number i.
    """

    def __init__(self, certificate, name, first_move):
        super().__init__(certificate, name, "blocks")
        rules, start, opponent = self.rules, certificate.start[0], 1 - self.owner
        if not rules.own_marks or rules.misere or rules.completed(start) or not rules.empty(start):
            raise Wrong("these rules do not allow to block, or the game is over")
        if len(first_move) != (start.bit_count() % 2 == self.owner) or any(not rules.empty(start) >> s & 1 for s in first_move):
            raise Wrong("the heading names an empty square if the owner is to move, otherwise none")
        self.mark = "XO"[self.mark_of(opponent)]
        self.waiting = set()  # the canonical images of the boards that were reached and have no entry yet
        self.n_empty = rules.n_squares  # of the entry before
        marks, dead = (rules.split(start)[self.mark_of(player)] for player in (opponent, self.owner))
        dead |= sum(1 << square for square in first_move)
        self.reach(marks, dead)

    def read_entry(self, line):
        number, (marks, dead), line = self.certificate.number, self.parse_board(line), self.certificate.next_line()
        pair_lines, moves = [], []
        while line.startswith("pairs "):
            answer, *pairs = line.split(" ")[1:]
            pair_lines.append((parse_square(self.rules, answer), self.parse_couples(pairs, "-")))
            if len(pair_lines) > MAX_PAIR_LINES:
                raise Unreadable(f"more than {MAX_PAIR_LINES} lines of pairs")
            line = self.certificate.next_line()
        if line.startswith("moves "):
            moves = self.parse_couples(line.split(" ")[1:], ":")
            line = self.certificate.next_line()
        if line != "end" and not line.startswith("strategy "):
            self.parse_board(line)  # before the entry is called wrong for a line that cannot be read
        self.check_entry(number, marks, dead, pair_lines, moves)
        self.n_entries += 1
        return line

    def parse_board(self, text):
        rows, squares = text.split("/"), text.replace("/", "")
        if len(rows) != self.rules.n_rows or any(len(row) != self.rules.n_columns for row in rows):
            raise Unreadable("expected a board, a strategy or 'end'")
        if not set(squares) <= {self.mark, "-", "."}:
            raise Unreadable("a square holds an unknown mark")
        return [sum(1 << s for s, c in enumerate(squares) if c == mark) for mark in (self.mark, "-")]

    def parse_couples(self, words, between):
        return [(parse_square(self.rules, a), parse_square(self.rules, b)) for a, _, b in (w.partition(between) for w in words)]

    def edges(self, marks, dead):
        """The edges of a board, and for each square the set of those through it."""
        edges, through = [], [0] * self.rules.n_squares
        for edge in sorted({line & ~marks for line in self.rules.lines if not line & dead}, key=int.bit_count):
            if not any(edge & other == other for other in edges):
                for square in bits_of(edge):
                    through[square] |= 1 << len(edges)
                edges.append(edge)
        return edges, through

    def board_key(self, marks, dead):
        return min(self.rules.all_images(marks | dead << self.rules.n_squares))

    def reach(self, marks, dead):
        """Reduces a board. If an edge is left, the board waits for its entry."""
        (_, through), twins = self.edges(marks, dead), -1
        while twins:
            twins, seen = 0, set()
            for edges_here in through:
                twins |= edges_here if edges_here in seen else 0
                seen.add(edges_here)
            through = [edges_here & ~twins for edges_here in through]
        empty, used = sum(1 << square for square, edges_here in enumerate(through) if edges_here), 0
        dead = self.rules.all_squares & ~(marks | empty)
        for line in self.rules.lines:
            used |= line if not line & dead else 0
        if empty:
            self.waiting.add(self.board_key(marks & used, dead | marks & ~used))

    def check_entry(self, number, marks, dead, pair_lines, moves):
        key, empty = self.board_key(marks, dead), self.rules.all_squares & ~(marks | dead)
        if key not in self.waiting or empty.bit_count() > self.n_empty:
            self.fail(number, "no entry above leads here, or this is a second entry, or one with more empty squares")
        self.waiting.remove(key)
        self.n_empty, (edges, through), answered = empty.bit_count(), self.edges(marks, dead), 0
        for move, answer in moves:
            if move == answer or not empty >> move & empty >> answer & 1 or answered >> move & 1 or 1 << move in edges:
                self.fail(number, "the squares of a move are not empty and different, or named before, or it completes a line")
            answered |= 1 << move
            self.reach(marks | 1 << move, dead | 1 << answer)
        for answer, pairs in pair_lines:
            squares = [answer, *(square for pair in pairs for square in pair)]
            if len(set(squares)) < len(squares) or any(not empty >> square & 1 for square in squares):
                self.fail(number, "the squares of a line of pairs are not empty and different")
            answered |= self.answered_by_pairs(edges, through, answer, pairs)
        total = weight(edges)
        for square in bits_of(empty & ~answered):
            here = [edge for edge in edges if edge >> square & 1]
            if total + weight(here) >= 1 << 64 and functools.reduce(int.__and__, here) == 1 << square:
                row, column = divmod(square, self.rules.n_columns)
                self.fail(number, f"no answer to the move in row {row + 1}, column {column + 1}")

    def answered_by_pairs(self, edges, through, answer, pairs):
        """The moves that a line of pairs answers."""
        once, twice = 0, 0  # the edges that contain a pair, and those that contain another when one pair is left out
        for a, b in pairs:
            once, twice = once | through[a] & through[b], twice | once & through[a] & through[b]
        others, result = (1 << len(edges)) - 1 & ~through[answer], 0
        free = self.rules.all_squares & ~(1 << answer) & ~sum(1 << a | 1 << b for a, b in pairs)
        # The moves that leave out no pair, then those that leave out each one, with the edges that contain no other pair.
        for moves, lost in [(free, 0)] + [(1 << a | 1 << b, through[a] & through[b] & ~twice) for a, b in pairs]:
            bare, common = others & (~once | lost), free | moves
            for i in bits_of(bare):
                common &= edges[i]
            if not bare or common.bit_count() >= 3:
                result |= moves
            elif common.bit_count() == 2:
                result |= moves & ~common
        return result

    def check(self):
        if self.waiting:
            raise Wrong("no entry for " + self.show([min(self.waiting)]).replace("O", "-").replace("X", self.mark))


def verify(name):
    """Prints the verdict on one file and returns the exit status."""
    certificate = Certificate(None)
    try:
        with sys.stdin.buffer if name == "-" else open(name, "rb") as source:
            certificate.source = source
            print(f"{name}: {certificate.check()}")
        return 0
    except OSError as error:
        print(f"{name}: unreadable: {error.strerror}")
        return 2
    except (Unreadable, Wrong) as error:
        print(f"{name}:{certificate.number}: {type(error).__name__.lower()}: {error}")
        return 2 if isinstance(error, Unreadable) else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(max(verify(name) for name in sys.argv[1:]))
