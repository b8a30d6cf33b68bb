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

/** The merchants' servers: mostly well, sometimes failing, slow, overloaded or gone. */
export class Receivers {
  readonly #random: SeededRandom;
  readonly receipts: Receipt[] = [];
  faults = true;
  /** How often anybody was posted to. */
  asked = 0;
  /** Whose server never takes anything, when all is well elsewhere, too. */
  isDead: (url: string) => boolean = () => false;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  receive(url: string, post: Omit<Receipt, 'accepted'>): PostAnswer {
    this.asked += 1;
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
    // A receiver whose answer is lost has taken it all the same.
    const isTaken = mood === 'well' || mood === 'silent';
    if (mood !== 'unreached') this.receipts.push({ ...post, accepted: isTaken });
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

/** Of a server that is gone: nothing, an error of what stands before it, or no end of it. */
const deadAnswers: readonly PostAnswer[] = [answers.unreached, answered(503), answers.silent];
