#include <vector>

class Tictactoe {
  private:
    char grid[3][3];
    char emptyToken;

  public:
    Tictactoe() : Tictactoe('-') {}
    Tictactoe(char token) : Tictactoe(token, std::vector<char>(9, token)) {}
    Tictactoe(char token, std::vector<char> tokens) : emptyToken(token) {
        for (int i = 0; i < 9; ++i) grid[i % 3][i / 3] = tokens[i];
    }

    bool takeTurn(int row, int column, char token) {
        if (row < 1 || row > 3 || column < 1 || column > 3) return false;
        char& cell = grid[row - 1][column - 1];
        if (cell != emptyToken) return false;
        cell = token;
        return true;
    }

    bool isWin(char token) {
        for (int i = 0; i < 3; ++i) {
            if (grid[i][0] == token && grid[i][1] == token && grid[i][2] == token) return true;
            if (grid[0][i] == token && grid[1][i] == token && grid[2][i] == token) return true;
        }
        if (grid[0][0] == token && grid[1][1] == token && grid[2][2] == token) return true;
        return grid[0][2] == token && grid[1][1] == token && grid[2][0] == token;
    }

    bool isTie() {
        for (auto& row : grid)
            for (char cell : row)
                if (cell == emptyToken) return false;
        return !isWin('X') && !isWin('O');
    }
};
