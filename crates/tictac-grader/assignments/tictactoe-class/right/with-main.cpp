// Another style: everything out of class, messages, counters and a main function.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

class Tictactoe {
  public:
    Tictactoe();
    Tictactoe(char _emptyToken);
    Tictactoe(char _emptyToken, vector<char> initTokens);
    void printMe() const;
    bool takeTurn(int rownum, int colnum, char playerToken);
    bool isWin(char playerToken) const;
    bool isTie() const;

  private:
    vector<vector<char>> grid;
    char emptyToken;
};

Tictactoe::Tictactoe() : grid(3, vector<char>(3, '-')), emptyToken('-') {}
Tictactoe::Tictactoe(char _emptyToken) : grid(3, vector<char>(3, _emptyToken)), emptyToken(_emptyToken) {}
Tictactoe::Tictactoe(char _emptyToken, vector<char> initTokens) : Tictactoe(_emptyToken) {
    int next = 0;
    for (auto& row : grid)
        for (auto& cell : row) cell = initTokens.at(next++);
}

void Tictactoe::printMe() const {
    for (auto& row : grid) cout << row[0] << row[1] << row[2] << endl;
}

bool Tictactoe::takeTurn(int r, int c, char playerToken) {
    if (r > 3 || c > 3 || r <= 0 || c <= 0) {
        cout << "Out of range!" << endl;
        return false;
    }
    if (grid.at(r - 1).at(c - 1) != emptyToken) {
        cout << "Taken!" << endl;
        return false;
    }
    grid[r - 1][c - 1] = playerToken;
    return true;
}

bool Tictactoe::isWin(char t) const {
    string want(3, t), d1, d2;
    for (int i = 0; i < 3; i++) {
        string row, col;
        for (int j = 0; j < 3; j++) row += grid[i][j], col += grid[j][i];
        d1 += grid[i][i], d2 += grid[i][2 - i];
        if (row == want || col == want) {
            cout << "Player " << t << " won via line " << i + 1 << endl;
            return true;
        }
    }
    return d1 == want || d2 == want;
}

bool Tictactoe::isTie() const {
    int n = 0;
    for (auto& row : grid)
        for (char cell : row) n += cell != emptyToken;
    return n == 9 && !isWin('X') && !isWin('O');
}

int main() {
    Tictactoe myGame;
    myGame.printMe();
}
