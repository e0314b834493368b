// Plays games of uno-engine at random for so many seconds, and counts the steps.
// Argument: seconds. Prints one JSON object: steps, and seconds of the processor's own time.
import { createRequire } from "node:module";

const { Game, Color } = createRequire(import.meta.url)("uno-engine");
const seconds = Number(process.argv[2]);
const PLAYERS = ["Ann", "Bob", "Cem", "Dee"];

let game = null;
let over = true;
let drawn = false;

function begin() {
  game = new Game(PLAYERS);
  game.on("end", () => {
    over = true;
  });
  over = false;
  drawn = false;
}

function step() {
  if (over) begin();
  for (const card of game.currentPlayer.hand) {
    if (card.isWildCard()) card.color = Color.RED;
    if (!card.matches(game.discardedCard)) continue;
    game.play(card);
    drawn = false;
    return;
  }
  if (drawn) game.pass();
  else game.draw();
  drawn = !drawn;
}

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const begun = used();
let steps = 0;
while (used() - begun < seconds) {
  for (let i = 0; i < 200; i += 1) step();
  steps += 200;
}
console.log(JSON.stringify({ steps, seconds: used() - begun }));
