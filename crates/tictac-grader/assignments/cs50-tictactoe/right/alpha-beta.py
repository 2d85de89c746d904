"""Another style: alpha-beta, deep copies, lists for sets, a sum for the turn."""
import copy
import math

X = "X"
O = "O"
EMPTY = None


def initial_state():
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    n = sum(1 for row in board for cell in row if cell is not None)
    return O if n % 2 else X


def actions(board):
    return [[i, j] for i in range(3) for j in range(3) if board[i][j] == EMPTY]


def result(board, action):
    i, j = action
    if not (0 <= i < 3 and 0 <= j < 3) or board[i][j] is not EMPTY:
        raise Exception("Invalid action")
    new = copy.deepcopy(board)
    new[i][j] = player(board)
    return new


def winner(board):
    for p in (X, O):
        for i in range(3):
            if all(board[i][j] == p for j in range(3)) or all(board[j][i] == p for j in range(3)):
                return p
        if all(board[i][i] == p for i in range(3)) or all(board[i][2 - i] == p for i in range(3)):
            return p


def terminal(board):
    return 1 if winner(board) or not actions(board) else 0


def utility(board):
    w = winner(board)
    return 1 if w == X else -1 if w == O else 0


def search(board, alpha, beta):
    if terminal(board):
        return utility(board), None
    best, move = (-math.inf, None) if player(board) == X else (math.inf, None)
    for i, j in actions(board):
        board[i][j] = player(board)
        value, _ = search(board, alpha, beta)
        board[i][j] = EMPTY
        if sum(c is not None for row in board for c in row) % 2 == 0:
            if value > best:
                best, move = value, (i, j)
            alpha = max(alpha, best)
        else:
            if value < best:
                best, move = value, (i, j)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, move


def minimax(board):
    return search(board, -math.inf, math.inf)[1]


if __name__ == "__main__":
    print(minimax(initial_state()))
    input("Press Enter")
