"""Write all 5,478 positions of tic-tac-toe with their values, distances and best moves to a Parquet file."""

import sys

import tictac


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "positions.parquet"
    table = tictac.table("3,3,3")
    table.to_parquet(path)
    values = {name: int((table.value == score).sum()) for name, score in (("win", 1), ("draw", 0), ("loss", -1))}
    print(f"{path}: {len(table)} positions, for the player to move {values}")
    return len(table)


if __name__ == "__main__":
    main()
