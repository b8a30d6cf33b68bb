import { CfnOutput } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { largestBody, largestForm } from '../../lib/contract/body-limits.ts';
import { tooLargePage } from '../../lib/contract/gateway-answers.ts';
import { safetyHeaders } from '../../lib/contract/safety-headers.ts';
import type { Environment } from '../../lib/installation/environments.ts';
import { notificationSourcesOf } from '../../lib/installation/providers.ts';
import { stageName } from './gateway.ts';

/** Serves the API under the environment's domain. The output `DomainTarget` is the target for the domain's CNAME record. */
export function addDomain(scope: Construct, api: RestApi, { domain }: Environment): void {
  if (!domain) return;
  const name = new DomainName(scope, 'Domain', {
    domainName: domain.name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  new BasePathMapping(scope, 'DomainMapping', { domainName: name, restApi: api, stage: api.deploymentStage });
  new CfnOutput(scope, 'DomainTarget', { value: name.domainNameAliasDomainName });
}

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/** Folders that only payers request. Merchants' servers and acquirers send many requests from few addresses. */
const payerPaths = ['link', 'redirect', 'result', 'transfer'];

/**
 * Matches paths by an expression. WAF sees the path as sent: with the stage under the invoke URL, without it under a
 * domain; encoded or not normalized. WAF does not support capturing groups.
 */
const onPath = (expression: string): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `^(?:/${stageName})?/${expression}`,
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
    ],
  },
});

/** Matches paths below these folders. */
const below = (...folders: readonly string[]): CfnWebACL.StatementProperty =>
  onPath(`(?:${folders.join('|')})/`);

const onPayerPages = below(...payerPaths);
/** Each filtered search may read many items. */
const onSearches = onPath('api/v1/[^/]+/search/?$');

/** Matches larger bodies. WAF inspects a body only up to its inspection limit; a body beyond that matches too. */
const bodyAbove = (size: number): CfnWebACL.StatementProperty => ({
  sizeConstraintStatement: {
    fieldToMatch: { body: { oversizeHandling: 'MATCH' } },
    comparisonOperator: 'GT',
    size,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

const bodyTooLarge = (limit: number, ...folders: readonly string[]): CfnWebACL.StatementProperty => ({
  andStatement: { statements: [below(...folders), bodyAbove(limit)] },
});

/** Blocks bodies above the functions' own limits, so that they never invoke a function. */
const bodySize = {
  name: 'body-size',
  action: {
    block: {
      customResponse: {
        responseCode: 413,
        customResponseBodyKey: 'too-large',
        responseHeaders: Object.entries(safetyHeaders).map(([name, value]) => ({ name, value })),
      },
    },
  },
  statement: {
    orStatement: {
      statements: [
        bodyTooLarge(largestForm, 'link', 'result', 'transfer'),
        bodyTooLarge(largestBody, 'redirect'),
      ],
    },
  },
};

type Rule = CfnWebACL.RuleProperty;
type Firewall = NonNullable<Environment['firewall']>;

const every5Minutes = { evaluationWindowSec: 300 };

/** Blocks an address that exceeds the limit of requests within the scope; without a scope, of all requests. */
const limitByAddress = (name: string, limit: number, scopeDownStatement?: Statement) => ({
  name,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit,
      ...every5Minutes,
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  },
});

/**
 * Blocks a token, not an address: a merchant may use many servers, and several merchants may share one address. The header
 * is normalized, so that a different case or spacing counts as the same token. A request without the header is not counted.
 */
const limitByToken = (name: string, limit: number, scopeDownStatement?: Statement) => ({
  name,
  action: { block: {} },
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'CUSTOM_KEYS',
      limit,
      ...every5Minutes,
      customKeys: [
        {
          header: {
            name: 'Authorization',
            textTransformations: [
              { priority: 0, type: 'COMPRESS_WHITE_SPACE' },
              { priority: 1, type: 'LOWERCASE' },
            ],
          },
        },
      ],
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  },
});

/**
 * An AWS managed rule group, in count mode: it blocks nothing. Its metrics show what it would block, because a generic rule
 * may take a merchant's server for an attack.
 */
const counted = (group: string) => ({
  name: group,
  overrideAction: { count: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: group } },
});

/**
 * Matches every request but the notifications of providers: from their published addresses, to their own notification address.
 * A provider sends all its notifications from few addresses, and repeats one that is refused.
 */
function exceptNotifications(scope: Construct, { providers }: Environment) {
  const notifications = notificationSourcesOf(providers).flatMap(({ provider, ranges }) =>
    anyOf(addressSets(scope, provider, ranges)).map((from) => ({
      andStatement: { statements: [below(`acquirer/${provider}`), from] },
    })),
  );
  const [except] = anyOf(notifications).map((statement) => ({ notStatement: { statement } }));
  return except;
}

type Statement = CfnWebACL.StatementProperty;

/** Matches what any of the statements matches. WAF refuses an OR of one. Returns none for none. */
const anyOf = (statements: readonly Statement[]): readonly Statement[] =>
  statements.length > 1 ? [{ orStatement: { statements: [...statements] } }] : statements;

/** Matches requests from these address ranges, one statement per version: a set has addresses of one. */
const addressSets = (scope: Construct, name: string, ranges: readonly string[]): readonly Statement[] =>
  (['IPV4', 'IPV6'] as const).flatMap((ipAddressVersion) => {
    const addresses = ranges.filter((range) => range.includes(':') === (ipAddressVersion === 'IPV6'));
    if (addresses.length === 0) return [];
    const id = `Sources-${name}-${ipAddressVersion}`;
    const set = new CfnIPSet(scope, id, { scope: 'REGIONAL', ipAddressVersion, addresses });
    return [{ ipSetReferenceStatement: { arn: set.attrArn } }];
  });

/** The rules, in order of priority. */
const rulesOf = (
  { pagesPerAddress, allPerAddress, apiPerToken, searchesPerToken }: Firewall,
  butNotifications: Statement | undefined,
): readonly Rule[] =>
  [
    bodySize,
    counted('AWSManagedRulesAmazonIpReputationList'),
    counted('AWSManagedRulesKnownBadInputsRuleSet'),
    limitByAddress('rate-by-address', pagesPerAddress, onPayerPages),
    limitByAddress('rate-of-everything-by-address', allPerAddress, butNotifications),
    limitByToken('rate-by-token', apiPerToken),
    limitByToken('rate-of-searches-by-token', searchesPerToken, onSearches),
  ].map((rule, at) => ({ ...rule, priority: at, visibilityConfig: visibility(rule.name) }));

/**
 * Adds the firewall: rate limits per address and token (429, the gateway response WAF_FILTERED) and body size limits (413,
 * the rule's custom response). The stage's throttle limits all requests together. Sampled requests stay off, because
 * samples would contain what payers and merchants sent.
 */
export function addFirewall(scope: Construct, api: RestApi, environment: Environment): void {
  const { firewall, name } = environment;
  if (!firewall) return;
  const acl = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(`paylink-${name}`),
    // The default of 16 KB would match every larger form as too large. Only bodies above 16 KB cost more.
    associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
    customResponseBodies: { 'too-large': { contentType: 'TEXT_HTML', content: tooLargePage } },
    rules: [...rulesOf(firewall, exceptNotifications(scope, environment))],
  });
  const { stageArn } = api.deploymentStage;
  new CfnWebACLAssociation(scope, 'FirewallAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn });
}
