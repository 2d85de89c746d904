from functools import lru_cache

X, O, EMPTY = "X", "O", None
LINES = [[(i, j) for j in range(3)] for i in range(3)]
LINES += [[(i, j) for i in range(3)] for j in range(3)]
LINES += [[(i, i) for i in range(3)]]


def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    cells = sum(board, [])
    return X if cells.count(X) == cells.count(O) else O


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    if action not in actions(board):
        raise ValueError("not a legal move")
    copy = [row[:] for row in board]
    copy[action[0]][action[1]] = player(board)
    return copy


def winner(board):
    for line in LINES:
        marks = {board[i][j] for i, j in line}
        if len(marks) == 1 and marks != {EMPTY}:
            return marks.pop()
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]


@lru_cache(maxsize=None)
def value(rows):
    board = [list(row) for row in rows]
    if terminal(board):
        return utility(board)
    choose = max if player(board) == X else min
    return choose(value(frozen(result(board, action))) for action in actions(board))


def frozen(board):
    return tuple(tuple(row) for row in board)


def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(frozen(result(board, action))))
