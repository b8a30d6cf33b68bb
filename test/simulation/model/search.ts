/*
 * The exhaustive search of a protocol whose state is one shared part and several lanes. The moves of a lane depend on the shared part and
 * the lane alone, so they are found once for each pair.
 */

export type Protocol<Shared, Lane> = {
  readonly shared: Shared;
  readonly lanes: readonly Lane[];
  /** Equal values have the same text. */
  readonly sharedText: (shared: Shared) => string;
  readonly laneText: (lane: Lane) => string;
  /** Everything that may happen next in the lane at this place. */
  readonly movesOf: (place: number, shared: Shared, lane: Lane) => readonly Move<Shared, Lane>[];
  /** Whether the lane waits for an interchangeable one before it. */
  readonly waits: (place: number, lanes: readonly Lane[]) => boolean;
  readonly violationIn: (shared: Shared, lanes: readonly Lane[]) => string | undefined;
  readonly isSettled: (shared: Shared, lanes: readonly Lane[]) => boolean;
};

export type Move<Shared, Lane> = { readonly name: string; readonly shared: Shared; readonly lane: Lane };

export type Found = {
  readonly states: number;
  /** `stuck`: no settled state can be reached any more. */
  readonly violation: string | undefined;
  /** The shortest path to the violation. */
  readonly path: readonly string[];
};

/** Searches all reachable states breadth-first until a violation; without one, for states that cannot settle any more. */
export function searchProtocol<Shared, Lane>(protocol: Protocol<Shared, Lane>): Found {
  const shareds = new Numbering(protocol.sharedText);
  const lanes = new Numbering(protocol.laneText);
  const movesOf = remembered(protocol, shareds, lanes);
  const states = new States(protocol.lanes.length);
  states.add(
    [shareds.numberOf(protocol.shared), ...protocol.lanes.map((lane) => lanes.numberOf(lane))],
    -1,
    '',
  );
  const valuesOf = ([shared = 0, ...numbers]: readonly number[]): readonly [Shared, readonly Lane[]] => [
    shareds.valueOf(shared),
    numbers.map((lane) => lanes.valueOf(lane)),
  ];
  const edges: Edges = { from: [], to: [] };
  for (let at = 0; at < states.size; at += 1) {
    const tuple = states.tupleAt(at);
    const [shared = 0, ...numbers] = tuple;
    const [common, values] = valuesOf(tuple);
    const violation = protocol.violationIn(common, values);
    if (violation !== undefined) return { states: states.size, violation, path: states.pathTo(at) };
    for (const [place, lane] of numbers.entries()) {
      if (protocol.waits(place, values)) continue;
      for (const move of movesOf(place, shared, lane)) {
        const next = [move.shared, ...numbers];
        next[place + 1] = move.lane;
        edges.from.push(at);
        edges.to.push(states.add(next, at, move.name));
      }
    }
  }
  const stuck = firstStuck(states, edges, (at) => protocol.isSettled(...valuesOf(states.tupleAt(at))));
  if (stuck === undefined) return { states: states.size, violation: undefined, path: [] };
  return { states: states.size, violation: 'stuck', path: states.pathTo(stuck) };
}

/** Returns the moves of a lane by the numbers of the shared part and of the lane. */
function remembered<Shared, Lane>(
  protocol: Protocol<Shared, Lane>,
  shareds: Numbering<Shared>,
  lanes: Numbering<Lane>,
) {
  const memories = protocol.lanes.map(() => new Map<number, readonly Move<number, number>[]>());
  return (place: number, shared: number, lane: number): readonly Move<number, number>[] => {
    const memory = memories[place]!;
    const key = shared * most + lane;
    const known = memory.get(key);
    if (known) return known;
    const moves = protocol.movesOf(place, shareds.valueOf(shared), lanes.valueOf(lane)).map((move) => ({
      name: move.name,
      shared: shareds.numberOf(move.shared),
      lane: lanes.numberOf(move.lane),
    }));
    memory.set(key, moves);
    return moves;
  };
}
const most = 2 ** 24;

/** Values as small numbers: each of them is stored once. */
class Numbering<T> {
  private readonly numbers = new Map<string, number>();
  private readonly values: T[] = [];
  private readonly textOf: (value: T) => string;
  constructor(textOf: (value: T) => string) {
    this.textOf = textOf;
  }
  numberOf(value: T): number {
    const text = this.textOf(value);
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.values.length);
    return this.values.push(value) - 1;
  }
  valueOf(number: number): T {
    return this.values[number]!;
  }
}

type Edges = { readonly from: number[]; readonly to: number[] };

/** The states found so far: the shared part and the lanes by their numbers, and the move that first led to each. */
class States {
  private readonly tuples: number[] = [];
  private readonly before: number[] = [];
  private readonly names: string[] = [];
  /** For each lane but the last: the number of what precedes it. Of the last: the number of the state. */
  private readonly levels: readonly Map<number, number>[];
  private readonly width: number;

  constructor(lanes: number) {
    this.width = lanes + 1;
    this.levels = Array.from({ length: lanes }, () => new Map<number, number>());
  }

  get size(): number {
    return this.before.length;
  }

  /** Returns the number of the state, which is added when it is new. */
  add(tuple: readonly number[], before: number, name: string): number {
    let number = tuple[0]!;
    for (const [level, numbers] of this.levels.entries()) {
      const key = number * most + tuple[level + 1]!;
      let next = numbers.get(key);
      if (next === undefined) {
        next = numbers.size;
        numbers.set(key, next);
      }
      number = next;
    }
    if (number === this.before.length) {
      this.tuples.push(...tuple);
      this.before.push(before);
      this.names.push(name);
    }
    return number;
  }

  tupleAt(at: number): readonly number[] {
    return this.tuples.slice(at * this.width, (at + 1) * this.width);
  }

  pathTo(end: number): readonly string[] {
    const path: string[] = [];
    for (let at = end; at > 0; at = this.before[at]!) path.unshift(this.names[at]!);
    return path;
  }
}

/** Returns the first state from which no settled state can be reached. */
function firstStuck(
  states: States,
  { from, to }: Edges,
  isEnd: (state: number) => boolean,
): number | undefined {
  // The edges backwards: those into state n are at firsts[n] up to firsts[n + 1].
  const firsts = new Int32Array(states.size + 1);
  for (const end of to) firsts[end + 1]! += 1;
  for (let at = 0; at < states.size; at += 1) firsts[at + 1]! += firsts[at]!;
  const free = firsts.slice();
  const backwards = new Int32Array(to.length);
  for (const [edge, end] of to.entries()) {
    backwards[free[end]!] = from[edge]!;
    free[end]! += 1;
  }
  const reaches = new Uint8Array(states.size);
  const open: number[] = [];
  const reach = (state: number) => {
    if (reaches[state]) return;
    reaches[state] = 1;
    open.push(state);
  };
  for (let at = 0; at < states.size; at += 1) if (isEnd(at)) reach(at);
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (let edge = firsts[at]!; edge < firsts[at + 1]!; edge += 1) reach(backwards[edge]!);
  const first = reaches.indexOf(0);
  return first === -1 ? undefined : first;
}
