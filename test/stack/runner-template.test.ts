import { describe, expect, it } from 'vitest';
import { joined } from '../../infra/local/template/nested.ts';
import { resourcesOf } from '../../infra/local/template/resources.ts';
import type { Template } from '../../infra/local/template/template.ts';

const place = {
  stackName: 'Test',
  region: 'us-east-1',
  account: '000000000000',
  baseUrl: 'http://127.0.0.1:3000',
  queueOrigin: 'http://127.0.0.1:4000',
};

/** The value of a property in a template with one queue, one API and one true condition. */
function valueOf(property: unknown): unknown {
  const template: Template = {
    Parameters: { Size: { Default: 'large' } },
    Mappings: { Sizes: { large: { cpu: 4 } } },
    Conditions: {
      Yes: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] },
      No: { 'Fn::Not': [{ Condition: 'Yes' }] },
    },
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs' } },
      Api: { Type: 'AWS::ApiGateway::RestApi' },
      Role: { Type: 'AWS::IAM::Role' },
      Probe: { Type: 'Test::Probe', Properties: { property } },
    },
  };
  return resourcesOf(template, place).find(({ id }) => id === 'Probe')?.properties['property'];
}

describe('a template here', () => {
  it.each([
    ['a plain value', { list: [1, 'two', true] }, { list: [1, 'two', true] }],
    ['Ref of a parameter', { Ref: 'Size' }, 'large'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::AccountId' }, '000000000000'],
    ['Ref of a queue: its URL', { Ref: 'Queue' }, 'http://127.0.0.1:4000/000000000000/jobs'],
    ['GetAtt', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:jobs'],
    ['GetAtt in one word', { 'Fn::GetAtt': 'Queue.QueueName' }, 'jobs'],
    [
      'GetAtt of what does nothing here',
      { 'Fn::GetAtt': ['Role', 'Arn'] },
      'arn:aws:iam:us-east-1:000000000000:Role',
    ],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Size' }]] }, 'a-large'],
    ['Sub', { 'Fn::Sub': '${Size} ${Queue.QueueName} ${!Size}' }, 'large jobs ${Size}'],
    [
      'Sub with names of its own',
      { 'Fn::Sub': ['${x}/${Size}', { x: { Ref: 'AWS::Region' } }] },
      'us-east-1/large',
    ],
    ['Select of Split', { 'Fn::Select': [1, { 'Fn::Split': ['-', 'a-b-c'] }] }, 'b'],
    ['FindInMap', { 'Fn::FindInMap': ['Sizes', { Ref: 'Size' }, 'cpu'] }, 4],
    ['If', [{ 'Fn::If': ['Yes', 1, 2] }, { 'Fn::If': ['No', 1, 2] }], [1, 2]],
    [
      'And, Or',
      [
        { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] },
        { 'Fn::Or': [{ Condition: 'Yes' }, { Condition: 'No' }] },
      ],
      [false, true],
    ],
    ['Base64', { 'Fn::Base64': 'hi' }, 'aGk='],
    ['NoValue, which leaves nothing', { kept: 1, left: { Ref: 'AWS::NoValue' } }, { kept: 1 }],
    [
      'a policy’s Condition',
      { Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ],
    [
      'the API’s invoke URL: the address here',
      {
        'Fn::Join': [
          '',
          [
            'https://',
            { Ref: 'Api' },
            '.execute-api.',
            { Ref: 'AWS::Region' },
            '.',
            { Ref: 'AWS::URLSuffix' },
            '/live/sandbox',
          ],
        ],
      },
      'http://127.0.0.1:3000/sandbox',
    ],
  ])('evaluates %s', (_case, property, value) => {
    expect(valueOf(property)).toEqual(value);
  });

  it.each([
    [{ Ref: 'Nobody' }, 'The template refers to "Nobody", which it does not define.'],
    [{ 'Fn::If': ['Maybe', 1, 2] }, 'The template names a condition "Maybe" that it does not define.'],
    [
      { 'Fn::ImportValue': 'x' },
      'The template uses Fn::ImportValue, which the local runner does not support.',
    ],
  ])('that holds %j is refused in one sentence', (property, sentence) => {
    expect(() => valueOf(property)).toThrow(sentence);
  });

  it('has no resource with a false condition', () => {
    const template: Template = {
      Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
      Resources: { Gone: { Type: 'AWS::SQS::Queue', Condition: 'Never' } },
    };

    expect(resourcesOf(template, place)).toEqual([]);
  });
});

/** A stack with a queue, a nested stack with a function for it, and one that gets that function's ARN. */
const root: Template = {
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs' } },
    Work: {
      Type: 'AWS::CloudFormation::Stack',
      Properties: { TemplateURL: 'work', Parameters: { queue: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
    },
    Watch: {
      Type: 'AWS::CloudFormation::Stack',
      Properties: {
        TemplateURL: 'watch',
        Parameters: { watched: { 'Fn::GetAtt': ['Work', 'Outputs.worker'] } },
      },
    },
    Probe: {
      Type: 'Test::Probe',
      Properties: {
        attribute: { 'Fn::GetAtt': ['Work', 'Outputs.worker'] },
        inOneWord: { 'Fn::GetAtt': 'Work.Outputs.worker' },
        inText: { 'Fn::Sub': 'call ${Work.Outputs.worker} in ${AWS::Region}' },
      },
    },
  },
};
const nested: Readonly<Record<string, Template>> = {
  work: {
    Parameters: { queue: {}, size: { Default: 'large' } },
    Resources: {
      Worker: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          FunctionName: 'worker',
          Queue: { Ref: 'queue' },
          Size: { Ref: 'size' },
          Text: { 'Fn::Sub': ['${queue} for ${who} in ${AWS::Region}', { who: { Ref: 'size' } }] },
        },
      },
    },
    Outputs: { worker: { Value: { 'Fn::GetAtt': ['Worker', 'Arn'] } } },
  },
  watch: {
    Parameters: { watched: {} },
    Resources: { Alarm: { Type: 'Test::Alarm', Properties: { On: { Ref: 'watched' } } } },
  },
};
const joinedWith = (templates: Readonly<Record<string, Template>>, own: Template = root): Template =>
  joined(own, ({ Properties }) => templates[String(Properties?.['TemplateURL'])]!);

describe('nested stacks here', () => {
  const resources = resourcesOf(joinedWith(nested), place);
  const propertiesOf = (name: string) => resources.find(({ id }) => id === name)?.properties;
  const queue = 'arn:aws:sqs:us-east-1:000000000000:jobs';
  const worker = 'arn:aws:lambda:us-east-1:000000000000:function:worker';

  it('are one template with the stack that they are in', () => {
    expect(resources.map(({ id }) => id)).toEqual(['Queue', 'Probe', 'Worker', 'Alarm']);
  });

  it('get their parameters’ values, or the defaults', () => {
    expect(propertiesOf('Worker')).toEqual({
      FunctionName: 'worker',
      Queue: queue,
      Size: 'large',
      Text: `${queue} for large in us-east-1`,
    });
  });

  it('give their outputs to the root stack, and to each other through it', () => {
    expect(propertiesOf('Probe')).toEqual({
      attribute: worker,
      inOneWord: worker,
      inText: `call ${worker} in us-east-1`,
    });
    expect(propertiesOf('Alarm')).toEqual({ On: worker });
  });

  it('that use one logical id for two things are refused in one sentence', () => {
    const other: Template = { Resources: { Worker: { Type: 'AWS::SQS::Queue' } } };
    expect(() => joinedWith({ ...nested, watch: other })).toThrow(
      'Two nested templates define "Worker": the local runner needs unique logical ids.',
    );
  });

  it('that lack an output are refused in one sentence, and so is one that is made on a condition', () => {
    const silent = { ...nested, work: { ...nested['work']!, Outputs: {} } };
    expect(() => joinedWith(silent)).toThrow('The nested stack Work has no output worker.');
    const perhaps = { Type: 'AWS::CloudFormation::Stack', Condition: 'Maybe' };
    expect(() => joinedWith(nested, { Resources: { Work: perhaps } })).toThrow(
      'The nested stack Work has a condition, which the local runner does not support.',
    );
  });
});
