import { CfnOutput } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointType,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { largestBody, largestForm } from '../../lib/contract/body-limits.ts';
import { tooLargePage } from '../../lib/contract/gateway-answers.ts';
import { safetyHeaders } from '../../lib/contract/safety-headers.ts';
import type { Environment } from '../../lib/installation/environments.ts';
import { stageName } from './gateway.ts';

/** The API under the environment's own domain. The output is what the domain's CNAME must point to. */
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

/** Where payers come by themselves. Merchants' servers and the acquirer send from few addresses, and many requests. */
const payerPaths = ['link', 'redirect', 'result', 'transfer'];

/**
 * Below these folders, however the path is spelled. The firewall sees it as it was sent: with the stage on the API's own
 * URL, without it on a domain. Groups must not capture there.
 */
const below = (...folders: readonly string[]): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    fieldToMatch: { uriPath: {} },
    regexString: `^(?:/${stageName})?/(?:${folders.join('|')})/`,
    textTransformations: [
      { priority: 0, type: 'URL_DECODE' },
      { priority: 1, type: 'NORMALIZE_PATH' },
    ],
  },
});

const onPayerPages = below(...payerPaths);

/** The firewall is shown no more of a body than its inspection limit; what lies beyond it is too large as well. */
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

/** The same limits as the functions keep: so large a body does not even start one. */
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

/** Blocks an address that asks for too many of what the scope matches; without a scope, of everything. */
const limitByAddress = (name: string, limit: number, scopeDownStatement?: CfnWebACL.StatementProperty) => ({
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
 * Blocks a token, not the address that it comes from: a merchant's servers may be many, and several merchants may share
 * one. Spelled in other cases or with other blanks it is the same token. A request without the header is not counted.
 */
const limitByToken = (name: string, limit: number) => ({
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
    },
  },
});

/**
 * A group of rules that AWS keeps. It counts and blocks nothing: what it would have blocked is seen in its metrics first,
 * for a rule of somebody else's may not know a merchant's server from an attack.
 */
const counted = (group: string) => ({
  name: group,
  overrideAction: { count: {} },
  statement: { managedRuleGroupStatement: { vendorName: 'AWS', name: group } },
});

/** In the order in which they are asked. */
const rulesOf = ({ pagesPerAddress, allPerAddress, apiPerToken }: Firewall): readonly Rule[] =>
  [
    bodySize,
    counted('AWSManagedRulesAmazonIpReputationList'),
    counted('AWSManagedRulesKnownBadInputsRuleSet'),
    limitByAddress('rate-by-address', pagesPerAddress, onPayerPages),
    limitByAddress('rate-of-everything-by-address', allPerAddress),
    limitByToken('rate-by-token', apiPerToken),
  ].map((rule, at) => ({ ...rule, priority: at, visibilityConfig: visibility(rule.name) }));

/**
 * Refuses who asks for too much (429, the gateway's WAF_FILTERED) and bodies that no form of ours has (413, the rule's own
 * answer); the stage's throttle holds for everybody together. Samples stay off: they would show what was sent.
 */
export function addFirewall(scope: Construct, api: RestApi, { firewall, name }: Environment): void {
  if (!firewall) return;
  const acl = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(`paylink-${name}`),
    // 16 KB unless it is raised, which would call every larger form too large; only bodies above 16 KB cost more.
    associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
    customResponseBodies: { 'too-large': { contentType: 'TEXT_HTML', content: tooLargePage } },
    rules: [...rulesOf(firewall)],
  });
  const { stageArn } = api.deploymentStage;
  new CfnWebACLAssociation(scope, 'FirewallAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn });
}
