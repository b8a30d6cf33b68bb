/**
 * The names of errors that a log may say: those of JavaScript and Node, our own, and those of the AWS services that are
 * called. An SDK takes an error's name from the answer of the service, so a name outside this list is not written.
 */
export const errorNames: ReadonlySet<string> = new Set(
  // JavaScript, Node, zod
  (
    'Error TypeError RangeError SyntaxError ReferenceError URIError AggregateError AbortError TimeoutError $ZodError ' +
    'ZodError ' +
    // ours
    'Defect PaymentAtOtherAcquirer SealBroken TransactionFailed UnreadableBody ' +
    // any AWS service, and the SDK
    'AccessDeniedException CredentialsProviderError ExpiredTokenException InternalFailure InternalServerError ' +
    'InternalServiceError InvalidSignatureException NetworkingError RequestTimeout ResourceNotFoundException ' +
    'ServiceUnavailable SignatureDoesNotMatch Throttling ThrottlingException TooManyRequestsException ' +
    'UnknownEndpoint UnrecognizedClientException ValidationException ' +
    // DynamoDB
    'ConditionalCheckFailedException IdempotentParameterMismatchException ItemCollectionSizeLimitExceededException ' +
    'ProvisionedThroughputExceededException RequestLimitExceeded TransactionCanceledException ' +
    'TransactionConflictException TransactionInProgressException ' +
    // SQS
    'AWS.SimpleQueueService.NonExistentQueue InvalidMessageContents KmsAccessDenied OverLimit QueueDoesNotExist ' +
    'RequestThrottled ' +
    // KMS
    'DependencyTimeoutException DisabledException IncorrectKeyException InvalidCiphertextException ' +
    'InvalidKeyUsageException KMSInternalException KMSInvalidStateException KeyUnavailableException NotFoundException ' +
    // Secrets Manager
    'DecryptionFailure InvalidParameterException InvalidRequestException'
  ).split(' '),
);
