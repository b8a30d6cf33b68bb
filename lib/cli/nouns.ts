import type { Command } from 'commander';
import type { Shell } from './shell.ts';

/** A noun of the command line: what the list of commands shows of it, and how to load the rest. */
type Noun = {
  /** In commander's syntax: a group's name, or a command with its arguments. */
  readonly usage: string;
  readonly description: string;
  /** Loads the noun's module, and nothing of any other noun: most of the time of a start is the loading of modules. */
  readonly load: () => Promise<(command: Command, shell: Shell) => void>;
};

/** All nouns, in the order of the list of commands. */
export const nouns: readonly Noun[] = [
  {
    usage: 'merchant',
    description: 'recipients of payments, each with one API token',
    load: async () => (await import('./commands/merchant.ts')).merchantCommands,
  },
  {
    usage: 'shop',
    description: 'a merchant’s shops: URLs, currency and settings of its bills',
    load: async () => (await import('./commands/shop.ts')).shopCommands,
  },
  {
    usage: 'merchants',
    description: 'all merchants, by their flags',
    load: async () => (await import('./commands/merchants.ts')).merchantListCommands,
  },
  {
    usage: 'shops',
    description: 'all shops',
    load: async () => (await import('./commands/shops.ts')).shopListCommands,
  },
  {
    usage: 'token',
    description: 'a merchant’s API token',
    load: async () => (await import('./commands/token.ts')).tokenCommands,
  },
  {
    usage: 'webhook-secret',
    description: 'secrets that sign postbacks: a shop’s for payments, a merchant’s for payouts',
    load: async () => (await import('./commands/webhook-secret.ts')).webhookSecretCommands,
  },
  {
    usage: 'page-secret',
    description: 'the secret that signs the forms on payer pages',
    load: async () => (await import('./commands/page-secret.ts')).pageSecretCommands,
  },
  {
    usage: 'terms',
    description: 'fees, limits and moderation of a merchant, per currency',
    load: async () => (await import('./commands/terms.ts')).termsCommands,
  },
  {
    usage: 'account',
    description: 'destinations of a merchant’s personal payouts',
    load: async () => (await import('./commands/account.ts')).accountCommands,
  },
  {
    usage: 'auto',
    description: 'a merchant’s automatic payout: the available balance, once a week',
    load: async () => (await import('./commands/auto.ts')).autoCommands,
  },
  {
    usage: 'bills',
    description: 'the bills of all merchants',
    load: async () => (await import('./commands/bills.ts')).billListCommands,
  },
  {
    usage: 'payouts',
    description: 'payouts, and those that wait for a person',
    load: async () => (await import('./commands/payouts.ts')).payoutCommands,
  },
  {
    usage: 'payments',
    description: 'payments, and those and orders that need a person',
    load: async () => (await import('./commands/payments.ts')).paymentCommands,
  },
  {
    usage: 'refunds',
    description: 'money of paid payments that goes back to their payers',
    load: async () => (await import('./commands/refunds.ts')).refundCommands,
  },
  {
    usage: 'receipts',
    description: 'fiscal receipts that are not registered at the tax service',
    load: async () => (await import('./commands/receipts.ts')).receiptCommands,
  },
  {
    usage: 'chargebacks',
    description:
      'money of paid payments that their acquirers no longer hold (refunds made there, chargebacks) or hold again',
    load: async () => (await import('./commands/chargebacks.ts')).chargebackCommands,
  },
  {
    usage: 'claims',
    description: 'what merchants owe since a chargeback exceeded their available balance',
    load: async () => (await import('./commands/claims.ts')).claimCommands,
  },
  {
    usage: 'adjustments',
    description: 'correct a balance by hand: one person proposes, another approves',
    load: async () => (await import('./commands/adjustments.ts')).adjustmentCommands,
  },
  {
    usage: 'proposals',
    description:
      'decisions that take two people: no provider confirms them, or they exceed what one person may release',
    load: async () => (await import('./commands/proposals.ts')).proposalCommands,
  },
  {
    usage: 'postbacks',
    description: 'signed notifications to merchants',
    load: async () => (await import('./commands/postbacks.ts')).postbackCommands,
  },
  {
    usage: 'endpoint',
    description: 'endpoints of postbacks: a shop’s Result URL and refund URL, a merchant’s payout webhook',
    load: async () => (await import('./commands/postbacks.ts')).endpointCommands,
  },
  {
    usage: 'rates',
    description: 'settlement rates of currencies',
    load: async () => (await import('./commands/rates.ts')).rateCommands,
  },
  {
    usage: 'banks',
    description: 'the banks that SBP payouts may go to',
    load: async () => (await import('./commands/banks.ts')).bankCommands,
  },
  {
    usage: 'provider',
    description: 'a provider’s keys, account and notification address',
    load: async () => (await import('./commands/provider.ts')).providerCommands,
  },
  {
    usage: 'find <what>',
    description:
      'find bills, payments, payouts and refunds by order id, amount or the last four digits of a card or account',
    load: async () => (await import('./commands/find.ts')).findCommand,
  },
  {
    usage: 'trace <id>',
    description:
      'show everything about a bill, payment, payout, adjustment, postback, shop or merchant, in time order',
    load: async () => (await import('./commands/trace.ts')).traceCommand,
  },
  {
    usage: 'migrate',
    description: 'give items of earlier versions their places in the lists that searches read',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    usage: 'audit',
    description:
      'recompute balances, entries, postbacks and bills from each other and say where they differ; changes nothing (exit code 1 on any difference)',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    usage: 'earnings',
    description:
      'show what the platform earned in a month: its fees on payments and payouts, less what acquirers kept; changes nothing',
    load: async () => (await import('./commands/earnings.ts')).earningsCommand,
  },
  {
    usage: 'journal',
    description: 'the journal of a merchant with its seals',
    load: async () => (await import('./commands/journal.ts')).journalCommands,
  },
  {
    usage: 'reconcile',
    description:
      'compare a day of the providers’ statements with the journal, and the journal with the postbacks',
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommands,
  },
  {
    usage: 'where <build> <positions...>',
    description: 'show the source lines of positions in a log',
    load: async () => (await import('./commands/where.ts')).whereCommand,
  },
];
