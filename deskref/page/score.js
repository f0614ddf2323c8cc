// The score as the table has it now: asks again at once, and the answer comes when something has changed.
"use strict";
(() => {
  const SHAPES = [
    '<circle cx="11" cy="11" r="9"/>', '<rect x="3" y="3" width="16" height="16" rx="2"/>',
    '<path d="M11 1 21 20H1z"/>', '<path d="M11 1 21 11 11 21 1 11z"/>'];
  const badge = (side) => `<svg class="badge side${side}" viewBox="0 0 22 22" fill="currentColor" aria-hidden="true">${SHAPES[side]}</svg>`;
  const safe = (text) => { const box = document.createElement("i"); box.textContent = text ?? ""; return box.innerHTML; };
  const put = (part, html) => {
    const box = document.querySelector(`[data-part="${part}"]`);
    if (box && box.innerHTML !== html) { box.innerHTML = html; }
    if (box) box.toggleAttribute("hidden", !html);
  };

  function show(score) {
    const { ruling, turn, everybody, tasks, dice, log } = score;
    put("ruling", ruling ? `<div class="what">${ruling.mark ? `<span class="mark">${safe(ruling.mark)}</span>&nbsp;` : ""}${safe(ruling.text)}</div>` +
      (ruling.why ? `<div class="why">${safe(ruling.why)}</div>` : "") : "");
    put("turn", turn ? `${badge(turn.side)}<span>${safe(turn.name)}</span>` : "");
    put("everybody", everybody.map((one) =>
      `<div class="soldier${one.turn ? " turn" : ""}${one.out ? " dead" : ""}">${badge(one.side)}<span class="name">${safe(one.name)}</span><span class="dice">${safe(one.state)}</span></div>`).join(""));
    put("tasks", tasks.map((task) => `<div class="task">${safe(task)}</div>`).join(""));
    put("dice", dice.map((value) => `<span class="die${value ? "" : " unsure"}">${value ?? "?"}</span>`).join(""));
    put("log", log.map((line) => `<div>${safe(line.mark)} ${safe(line.text)}</div>`).join(""));
  }

  async function follow() {
    let number = 0;
    for (;;) {
      try {
        const answer = await fetch(`/score.json?after=${number}`);
        if (!answer.ok) throw new Error(answer.status);
        const news = Number(answer.headers.get("X-Score"));
        const score = await answer.json();
        document.body.classList.remove("lost");
        if (news !== number) { number = news; show(score); document.body.dataset.number = number; }
      } catch {
        document.body.classList.add("lost");
        number = 0;
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
  }
  follow();
})();
