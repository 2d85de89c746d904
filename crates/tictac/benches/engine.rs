//! Speed of the engine on one core.
use divan::Bencher;
use divan::counter::ItemsCount;
use tictac::{Playouts, Position, Rules};

fn main() {
    divan::main();
}

/// A generator good enough for statistics and quick enough not to be what is measured.
fn random() -> impl FnMut() -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move || {
        state = state.wrapping_add(0xA076_1D64_78BD_642F);
        let wide = u128::from(state) * u128::from(state ^ 0xE703_7ED1_A0B4_28DB);
        (wide >> 64) as u64 ^ wide as u64
    }
}

#[divan::bench]
fn playouts_3x3(bencher: Bencher<'_, '_>) {
    const N: u64 = 100_000;
    let mut playouts = Playouts::new(Position::start(Rules::CLASSIC));
    let mut random = random();
    bencher.counter(ItemsCount::new(N)).bench_local(move || playouts.run(N, &mut random));
}
