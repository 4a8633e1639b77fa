'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const H = 44, lines = data.lines, threads = data.threads;
const el = (tag, text, cls) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (cls) e.className = cls;
  return e;
};
const svg = (tag, attributes) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  return e;
};
const byId = id => document.getElementById(id);
const title = t => 'thread ' + t + (t === '0' ? ' (main)' : '');
// All lanes are equally wide, six of them without scrolling. Words may go on over the lanes to the right, which are empty then; what finds
// no room there begins further to the left, and says which thread it is of.
const LANE = threads.length > 2 ? 8 : 0;
const columns = `repeat(${threads.length},minmax(${LANE}em,1fr))`;
// What is shown: all lines, or, folded, what repeats once.
let rows = [], rowOfStep = new Map(), heldAt = [], isFolded = data.folded.length > 0, selected = -1, cycle = -1;

// Locks that each thread holds after each line.
const held = [];
{
  const now = threads.map(() => []);
  for (const r of lines) {
    if (r.takes) now[r.t].push(r.takes);
    if (r.gives) { const i = now[r.t].lastIndexOf(r.gives); if (i >= 0) now[r.t].splice(i, 1); }
    held.push(r.takes || r.gives || !held.length ? now.map(l => l.slice()) : held[held.length - 1]);
  }
}

function fold() {
  const marks = isFolded ? data.folded : lines.map((r, i) => [i, r.n, r.a]);
  rows = marks.map(([i, last, a]) => ({...lines[i], a, line: i, last}));
  rowOfStep = new Map();
  cycle = rows.findIndex(r => r.c);
  let k = -1;
  lines.forEach((r, i) => {
    if (k + 1 < rows.length && rows[k + 1].line === i) ++k;
    if (r.n) rowOfStep.set(r.n, k);
  });
  heldAt = rows.map((r, i) => held[(i + 1 < rows.length ? rows[i + 1].line : lines.length) - 1]);
  byId('rows').style.height = rows.length * H + 'px';
  byId('fold').textContent = isFolded ? 'all steps' : 'fold steps';
}

const split = place => {
  const at = place.lastIndexOf(':');
  return at < 0 ? null : [place.slice(0, at), Number(place.slice(at + 1))];
};
const codeAt = place => {
  const p = split(place), f = p && data.sources[p[0]];
  return (f && f[p[1]] || '').trim();
};

function makeRow(i) {
  const r = rows[i], row = el('div', undefined, 'row' + (r.b ? ' bug' : '') + (r.d ? ' switch' : '') + (r.c ? ' cycle' : '') + (cycle >= 0 && i > cycle ? ' again' : '') + (i === selected ? ' on' : ''));
  row.style.top = i * H + 'px';
  row.style.gridTemplateColumns = columns;
  row.id = 'row' + i;
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', i === selected);
  row.append(el('span', r.n || '', 'n'));
  if (r.last > r.n) row.title = 'steps ' + r.n + ' to ' + r.last;
  const cell = el('div', undefined, 'c'), space = el('div', undefined, 's'), words = el('div', undefined, 'w'), what = el('div'), where = el('div');
  cell.style.gridColumn = '1 / -1';
  space.style.flexBasis = 100 * r.t / threads.length + '%';
  what.append(el('span', threads[r.t], 'who'), r.a);
  if (r.after) what.append(el('span', 'behind ' + r.after, 'after'));
  what.title = r.a;
  if (r.p !== '?') where.append(el('code', r.p.slice(r.p.lastIndexOf('/') + 1) + '  ' + codeAt(r.p)));
  words.append(what, where);
  cell.append(space, words);
  row.append(cell);
  row.addEventListener('click', () => select(i));
  return row;
}

// Only rows in sight are there: a long run stays quick.
function draw(all) {
  const lanes = byId('lanes'), first = all ? 0 : Math.max(0, Math.floor(lanes.scrollTop / H) - 10);
  const last = all ? rows.length : Math.min(rows.length, first + Math.ceil(lanes.clientHeight / H) + 20);
  const part = document.createDocumentFragment();
  for (let i = first; i < last; ++i) part.append(makeRow(i));
  const box = byId('rows');
  box.querySelectorAll('.row').forEach(r => r.remove());
  box.append(part);
  const shifted = [...box.querySelectorAll('.row')].filter(row => {
    const space = row.querySelector('.s');
    return space.offsetParent && space.offsetWidth + 1 < row.querySelector('.c').clientWidth * parseFloat(space.style.flexBasis) / 100;
  });
  shifted.forEach(row => row.classList.add('shifted'));
  arrows(first, last);
}

function arrows(first, last) {
  const pane = byId('arrows');
  pane.replaceChildren();
  pane.setAttribute('height', rows.length * H);
  const heads = [...byId('heads').children].map(head => head.offsetLeft);
  const x = i => heads[rows[i].t] + 4, y = i => i * H + H / 2;
  for (let i = first; i < last; ++i) {
    const from = rows[i].after && rowOfStep.get(rows[i].after);
    if (!rows[i].after || from === undefined || from === i) continue;
    const x1 = x(from), x2 = x(i), y1 = y(from), y2 = y(i), bend = (x2 < x1 ? -1 : 1) * Math.max(12, Math.abs(x2 - x1) / 3);
    const on = i === selected || from === selected;
    pane.append(svg('path', {d: `M${x1},${y1} C${x1 + bend},${y1 + 20} ${x2 - bend},${y2 - 20} ${x2},${y2}`, class: on ? 'on' : ''}));
  }
}

function showSource(place) {
  const pane = byId('source'), p = split(place), file = p && data.sources[p[0]];
  byId('where').textContent = place === '?' ? 'no line of the program is known' : place;
  pane.replaceChildren();
  pane.hidden = !file;
  if (!file) return;
  const numbers = Object.keys(file).map(Number).sort((a, b) => a - b).filter(n => Math.abs(n - p[1]) <= 12);
  for (const n of numbers) {
    const line = el('span', undefined, n === p[1] ? 'on' : '');
    line.append(el('i', n), file[n]);
    pane.append(line);
  }
}

function frameList(frames) {
  const list = el('ol', undefined, frames.every(k => data.frames[k][2]) ? 'all' : '');
  list.start = 0;
  for (const k of frames) {
    const f = data.frames[k], item = el('li', f[0] + (f[1] === '?' ? '' : ' at ' + f[1]), f[2] ? 'library' : '');
    item.value = list.children.length;
    if (f[1] !== '?') item.addEventListener('click', () => showSource(f[1]));
    list.append(item);
  }
  return list;
}

function select(i) {
  if (!rows.length) return;
  selected = Math.max(0, Math.min(rows.length - 1, i));
  const r = rows[selected], lanes = byId('lanes'), top = selected * H;
  if (top < lanes.scrollTop) lanes.scrollTop = top;
  if (top + 3 * H > lanes.scrollTop + lanes.clientHeight) lanes.scrollTop = top + 3 * H - lanes.clientHeight;
  draw(false);
  lanes.setAttribute('aria-activedescendant', 'row' + selected);
  byId('step').textContent = r.n ? (r.last > r.n ? 'steps ' + r.n + ' to ' + r.last : 'step ' + r.n) + ' of thread ' + threads[r.t] : 'thread ' + threads[r.t] + ', behind the step above';
  byId('action').textContent = r.a;
  // What has no line of its own stands behind a step that has: a thread's start behind its creation.
  const cause = r.p === '?' && r.after && lines.find(l => l.n === r.after);
  showSource(cause ? cause.p : r.p);
  if (cause) byId('where').textContent = 'behind step ' + r.after + ', ' + cause.p;
  byId('frames').replaceChildren(frameList(r.f));
  byId('under-way').hidden = !r.f.length;
  const locks = byId('locks');
  locks.replaceChildren();
  threads.forEach((t, c) => { if (heldAt[selected][c].length) locks.append(el('li', title(t) + ': ' + heldAt[selected][c].join(', '))); });
  if (!locks.children.length) locks.append(el('li', 'none'));
}

function waitGraph() {
  if (!data.waiting.length) return;
  const box = byId('graph'), names = [...new Set(data.waiting.flatMap(w => [w.thread, ...w.holders]))];
  byId('waits').hidden = false;
  const pane = svg('svg', {viewBox: '0 0 360 ' + (names.length > 1 ? 240 : 90), width: '100%', role: 'img'});
  const defs = svg('defs', {}), marker = svg('marker', {id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto'});
  marker.append(svg('path', {d: 'M0,0 L8,4 L0,8 z'}));
  defs.append(marker);
  pane.append(defs);
  const spot = name => {
    const k = names.indexOf(name), turn = Math.PI * 2 * k / names.length - Math.PI / 2;
    return names.length === 1 ? [180, 45] : [180 + 120 * Math.cos(turn), 120 + 85 * Math.sin(turn)];
  };
  data.waiting.forEach((w, k) => {
    for (const h of w.holders) {
      const [x1, y1] = spot(w.thread), [x2, y2] = spot(h), d = Math.hypot(x2 - x1, y2 - y1) || 1, r = 24;
      const px = -(y2 - y1) / d * 22, py = (x2 - x1) / d * 22, mx = (x1 + x2) / 2 + px, my = (y1 + y2) / 2 + py;
      const cut = (x, y) => { const l = Math.hypot(mx - x, my - y) || 1; return [x + (mx - x) / l * r, y + (my - y) / l * r]; };
      const [a, b] = cut(x1, y1), [c, e] = cut(x2, y2);
      pane.append(svg('path', {d: `M${a},${b} Q${mx},${my} ${c},${e}`, 'marker-end': 'url(#tip)'}));
      // What is waited for may be long: on the arrow stands its number in the list.
      const label = svg('text', {x: (mx * 2 + x1 + x2) / 4, y: (my * 2 + y1 + y2) / 4 + 4, 'text-anchor': 'middle', class: 'wait'}), full = svg('title', {});
      label.textContent = k + 1;
      full.textContent = w.awaited;
      label.append(full);
      pane.append(label);
    }
  });
  for (const n of names) {
    const [x, y] = spot(n), label = svg('text', {x, y: y + 4, 'text-anchor': 'middle'});
    label.textContent = n;
    pane.append(svg('circle', {cx: x, cy: y, r: 22}), label);
  }
  box.append(pane);
  const list = el('ol', undefined, 'all');
  data.waits.forEach(w => list.append(el('li', w)));
  box.append(list);
}

document.title = data.title;
byId('kind').textContent = data.kind;
byId('message').textContent = data.message;
byId('switch').textContent = data.critical;
data.changed.forEach(note => byId('changed').append(el('p', 'note: ' + note)));
byId('heads').style.gridTemplateColumns = columns;
threads.forEach(t => byId('heads').append(el('div', title(t))));
fold();
if (threads.length > 2) byId('rows').style.minWidth = byId('heads').style.minWidth = 3.2 + LANE * threads.length + 'em';
data.stacks.forEach(s => { byId('stacks').append(el('h2', s.title), frameList(s.frames)); });
data.notes.forEach(n => byId('stacks').append(el('p', n)));
waitGraph();
const find = test => { const i = rows.findIndex(test); if (i >= 0) select(i); };
const actions = {
  next: () => select(selected + 1), previous: () => select(selected - 1), first: () => select(0), last: () => select(rows.length - 1),
  decisive: () => find(r => r.d),
  bug: () => { const later = rows.findIndex((r, i) => r.b && i > selected); later >= 0 ? select(later) : find(r => r.b || r.c); },
  libraries: () => document.body.classList.toggle('hidden'),
  fold: () => {
    if (!data.folded.length) return;
    const line = rows[selected].line;
    isFolded = !isFolded;
    fold();
    select(rows.findLastIndex(r => r.line <= line));
  }
};
for (const b of document.querySelectorAll('button')) b.addEventListener('click', actions[b.id]);
byId('fold').hidden = !data.folded.length;
byId('bug').hidden = byId('legend-bug').hidden = !rows.some(r => r.b);
if (cycle >= 0) { byId('bug').textContent = 'the cycle'; byId('bug').hidden = false; }
byId('decisive').hidden = byId('legend-switch').hidden = !rows.some(r => r.d);
byId('legend-arrow').hidden = !rows.some(r => r.after);
document.body.classList.add('hidden');  // as in the terminal: frames of libraries are folded
byId('lanes').addEventListener('scroll', () => requestAnimationFrame(() => draw(false)));
addEventListener('resize', () => draw(false));
addEventListener('beforeprint', () => draw(true));
addEventListener('afterprint', () => draw(false));
addEventListener('keydown', e => {
  const keys = {ArrowDown: 'next', j: 'next', ArrowUp: 'previous', k: 'previous', Home: 'first', End: 'last', d: 'decisive', b: 'bug', l: 'libraries', a: 'fold'};
  if (e.ctrlKey || e.altKey || e.metaKey || !keys[e.key]) return;
  e.preventDefault();
  actions[keys[e.key]]();
});
const start = rows.findIndex(r => r.d), bug = rows.findIndex(r => r.b), first = rows.findIndex(r => r.p !== '?');
select(start >= 0 ? start : bug >= 0 ? bug : cycle >= 0 ? cycle + 1 : Math.max(0, first));
document.body.dataset.ready = '1';
