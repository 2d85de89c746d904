// @ts-check
// A short shower of marks for the winner. It is not shown to people who prefer less motion.

import { drawMark, h } from "./dom.js";

const PIECES = 28;

/** @param {HTMLElement} board */
export function celebrate(board) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const box = board.getBoundingClientRect();
  const layer = h("div", { class: "confetti", "aria-hidden": "true" });
  document.body.append(layer);
  for (let n = 0; n < PIECES; n++) {
    const piece = drawMark(n % 2 === 0 ? "X" : "O");
    layer.append(piece);
    piece.style.left = `${box.left + box.width / 2}px`;
    piece.style.top = `${box.top + box.height / 2}px`;
    const [x, y] = [(Math.random() - 0.5) * box.width * 1.5, -Math.random() * box.height * 0.8];
    const fall = innerHeight * 0.7;
    const spin = (Math.random() - 0.5) * 720;
    piece.animate(
      [
        { transform: "translate(-50%, -50%) scale(0.3)", opacity: 1 },
        { transform: `translate(${x * 0.8}px, ${y}px) rotate(${spin / 2}deg)`, opacity: 1, offset: 0.35, easing: "ease-in" },
        { transform: `translate(${x}px, ${y + fall}px) rotate(${spin}deg)`, opacity: 0 },
      ],
      { duration: 1500 + Math.random() * 700, easing: "ease-out", fill: "both" },
    );
  }
  setTimeout(() => layer.remove(), 2400);
}
