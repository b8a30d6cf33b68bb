/** Local time in the environment's time zone, which limits and schedules use. */
export type LocalTime = {
  /** `2026-11-21` */
  readonly day: string;
  /** `2026-11` */
  readonly month: string;
  readonly weekday: Weekday;
  readonly hour: number;
  readonly minute: number;
};

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof weekdays)[number];

const formats = new Map<string, Intl.DateTimeFormat>();

/** Converts an instant to the local time of a time zone. */
export function localTime(at: Date, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const month = `${parts['year']}-${parts['month']}`;
  return {
    day: `${month}-${parts['day']}`,
    month,
    weekday: weekdays.find((name) => name === parts['weekday']) ?? 'Mon',
    hour: Number(parts['hour']),
    minute: Number(parts['minute']),
  };
}

/** Cached per zone: creating a formatter costs far more than using it. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, made);
  return made;
}
