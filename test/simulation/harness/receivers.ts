import type { PostAnswer } from '../../../lib/postback/ports.ts';
import type { SeededRandom } from './seeded-random.ts';

type Receipt = {
  readonly eventId: string;
  readonly body: string;
  readonly accepted: boolean;
  readonly step: number;
  /** The step in which the worker's run began. */
  readonly begunIn: number;
};

/** The merchants' servers: mostly healthy, sometimes failing, slow, overloaded or gone. */
export class Receivers {
  readonly #random: SeededRandom;
  readonly receipts: Receipt[] = [];
  faults = true;
  /** The number of requests so far. */
  requests = 0;
  /** Whether the server at this URL never accepts a postback, even after the faults end. */
  isDead: (url: string) => boolean = () => false;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  receive(url: string, post: Omit<Receipt, 'accepted'>): PostAnswer {
    this.requests += 1;
    if (this.isDead(url)) return this.#random.pick(deadAnswers);
    const mood: Mood = this.faults
      ? this.#random.weighted({
          well: 78,
          failing: 8,
          unreached: 4,
          silent: 4,
          overloaded: 3,
          refusing: 2.6,
          gone: 0.4,
        })
      : 'well';
    // A receiver whose answer is lost has accepted the postback.
    const accepted = mood === 'well' || mood === 'silent';
    if (mood !== 'unreached') this.receipts.push({ ...post, accepted });
    return answers[mood];
  }
}

const answered = (status: number): PostAnswer => ({
  kind: 'answered',
  status,
  retryAfterSeconds: undefined,
  body: '',
});

type Mood = 'well' | 'failing' | 'unreached' | 'silent' | 'overloaded' | 'refusing' | 'gone';

const answers: Readonly<Record<Mood, PostAnswer>> = {
  well: answered(200),
  failing: answered(500),
  unreached: { kind: 'unreachable', why: 'connection_refused' },
  silent: { kind: 'unreachable', why: 'timeout' },
  overloaded: { kind: 'answered', status: 429, retryAfterSeconds: 60, body: '' },
  refusing: answered(403),
  gone: answered(410),
};

/** A dead server refuses the connection, answers through its load balancer, or times out. */
const deadAnswers: readonly PostAnswer[] = [answers.unreached, answered(503), answers.silent];
