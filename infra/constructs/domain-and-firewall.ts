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
import type { Environment } from '../environments.ts';
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
const bodySize: CfnWebACL.RuleProperty = {
  name: 'body-size',
  priority: 0,
  action: { block: { customResponse: { responseCode: 413, customResponseBodyKey: 'too-large' } } },
  statement: {
    orStatement: {
      statements: [
        bodyTooLarge(largestForm, 'link', 'result', 'transfer'),
        bodyTooLarge(largestBody, 'redirect'),
      ],
    },
  },
  visibilityConfig: visibility('body-size'),
};

/**
 * Refuses the payer's pages to an address that asks for too many (429, the gateway's WAF_FILTERED) and to bodies that
 * no form of ours has (413, the rule's own answer); the stage's throttle holds for everything. Samples stay off: they
 * would show what was sent.
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
    rules: [
      bodySize,
      {
        name: 'rate-by-address',
        priority: 1,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: firewall.requestsPerFiveMinutes,
            evaluationWindowSec: 300,
            scopeDownStatement: onPayerPages,
          },
        },
        visibilityConfig: visibility('rate-by-address'),
      },
    ],
  });
  const { stageArn } = api.deploymentStage;
  new CfnWebACLAssociation(scope, 'FirewallAssociation', { resourceArn: stageArn, webAclArn: acl.attrArn });
}
