// A script that runs before the scripts of the page and records when events happen.

/** Runs in the page; it must not refer to anything outside the function. */
export function watchPage() {
  const tasks = [];
  const scripts = [];
  const events = [];
  const observe = (type, f, more) => {
    new PerformanceObserver((list) => list.getEntries().forEach(f)).observe({ type, buffered: true, ...more });
  };
  observe("longtask", (e) => tasks.push({ at: e.startTime, ms: e.duration }));
  observe("event", (e) => events.push({ at: e.startTime, ms: e.duration, name: e.name }), { durationThreshold: 16 });
  observe("long-animation-frame", (e) => {
    for (const s of e.scripts) scripts.push({ at: s.startTime, ms: s.duration, what: `${s.invoker} ${s.sourceURL.split("/").pop()}:${s.sourceCharPosition}` });
  });

  const editor = () => document.querySelector("stile-editor")?.shadowRoot?.querySelector(".cm-content") ?? null;
  const picture = () => document.querySelector("stile-drawing .sheet svg");
  const inEditor = (text) => [...(editor()?.querySelectorAll(".cm-line") ?? [])].some((line) => text.test(line.textContent));
  const inProblems = (text) => [...document.querySelectorAll("stile-problems .problem-text")].some((e) => text.test(e.textContent));
  const inDrawing = (text) => [...(picture()?.querySelectorAll("text") ?? [])].some((e) => text.test(e.textContent));

  /** Resolves with the time of the first frame in which holds returns true. */
  const when = (holds) => new Promise((resolve, reject) => {
    // A pending timer would keep its closure alive and distort the measured heap.
    const timer = setTimeout(() => reject(new Error("what was waited for never came")), 60_000);
    const look = () => {
      if (!holds()) return void requestAnimationFrame(look);
      clearTimeout(timer);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  });

  /** The milestones of loading, from the navigation's start. */
  const loaded = (async () => {
    let first;
    const paint = new Promise((resolve) => observe("paint", (e) => e.name === "first-contentful-paint" && resolve(e.startTime)));
    const shown = when(() => (first ??= document.querySelector(".first-drawing svg.drawing, .sheet svg.drawing")) !== null && first !== undefined);
    const typed = when(() => document.querySelector(".first-text") !== null || editor() !== null);
    const ready = when(() => editor() !== null);
    const said = when(() => /nonterminal|state/.test(document.querySelector("stile-problems .summary")?.textContent ?? ""));
    const drawn = when(() => picture() !== null && picture() !== first);
    return { "first paint": await paint, "typing possible": await typed, "editor": await ready, "first drawing": await shown, "diagnostics": await said, "drawing of the page's own": await drawn };
  })();

  let pressed = 0;
  addEventListener("keydown", (event) => (pressed = event.timeStamp), { capture: true });

  window.bench = {
    loaded,
    /** Resolves with the times from the next key until a text is in the editor, the problems and
     * the drawing. */
    expect(text, { problems, drawing }) {
      const word = new RegExp(text);
      pressed = 0;
      const after = (holds) => when(() => pressed > 0 && holds(word)).then((at) => at - pressed);
      const all = { letter: after(inEditor), ...(problems && { diagnostics: after(inProblems) }), ...(drawing && { drawing: after(inDrawing) }) };
      window.bench.shown = Promise.all(Object.entries(all).map(async ([name, time]) => [name, await time])).then(Object.fromEntries);
    },
    shown: undefined,
    /** Waits until a text is in all parts of the page that show it. */
    comes: (text, { problems, drawing }) => when(() => inEditor(new RegExp(text)) && (!problems || inProblems(new RegExp(text))) && (!drawing || inDrawing(new RegExp(text)))),
    /** Long tasks since a time, and the scripts that ran in slow frames. */
    work: (since) => ({
      tasks: tasks.filter((t) => t.at >= since).map((t) => t.ms),
      scripts: scripts.filter((s) => s.at >= since).sort((a, b) => b.ms - a.ms),
      events: events.filter((e) => e.at >= since),
    }),
    /** Releases the records so far, which do not belong to the page's memory. */
    forget: () => [tasks, scripts, events].forEach((seen) => seen.splice(0)),
    /** Waits until nothing in the page has changed and no long task has run for a quarter of a second. */
    settled: () => new Promise((resolve) => {
      let timer;
      const rest = () => {
        clearTimeout(timer);
        timer = setTimeout(() => (watcher.disconnect(), resolve()), 250);
      };
      const watcher = new MutationObserver(rest);
      watcher.observe(document, { subtree: true, childList: true, characterData: true });
      rest();
    }),
    /** The times between frames during an action. */
    frames() {
      const times = [];
      let last = performance.now();
      let on = true;
      const next = (now) => {
        times.push(now - last);
        last = now;
        if (on) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
      return () => (on = false, times);
    },
  };
}
