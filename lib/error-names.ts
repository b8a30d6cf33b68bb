/**
 * The error names that may be logged: those of JavaScript and Node, of Paylink, and of the AWS services in use. An SDK takes
 * an error's name from the service's response, so other names are not logged.
 */
export const errorNames: ReadonlySet<string> = new Set(
  // JavaScript, Node, zod
  (
    'Error TypeError RangeError SyntaxError ReferenceError URIError AggregateError AbortError TimeoutError $ZodError ' +
    'ZodError ' +
    // Paylink
    'Defect PaymentAtOtherAcquirer ProviderBusy ProviderSilent ReferenceConflict SealBroken TransactionFailed UnreadableBody ' +
    // all AWS services, and the SDK
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
