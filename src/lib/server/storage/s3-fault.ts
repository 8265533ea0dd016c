/** Advice by the error code of an S3 storage. */
const ADVICE: Record<string, string> = {
  NoSuchBucket: '没有这个存储桶：请检查名字、地址和区域',
  AccessDenied: '这把密钥没有权限：请允许它读、写、列出和删除这个桶里的对象',
  InvalidAccessKeyId: '存储不认识这把密钥：请检查 ACCESS_KEY_ID',
  SignatureDoesNotMatch: '密钥不对：请检查 SECRET_ACCESS_KEY',
  RequestTimeTooSkewed: '本机的钟不准：请校对时间',
  AuthorizationHeaderMalformed: '区域不对：请检查 REGION',
  PermanentRedirect: '存储桶在别的区域：请检查 REGION 和 ENDPOINT',
  NoSuchKey: '桶里没有这个文件：请检查文件名',
  PreconditionFailed: '文件在读的时候变了：请再试一次',
  XMinioStorageFull: '存储已满：请腾出空间',
  QuotaExceeded: '存储的配额已用完：请腾出空间',
  SlowDown: '存储太忙：请稍后再试',
  ServiceUnavailable: '存储太忙：请稍后再试',
  InternalError: '存储内部出错：请稍后再试',
};

/** Names of errors whose response had no code of S3, such as a page of a proxy. */
const NO_CODE = /^(?:Syntax|Type|Unknown)?Error$|^\d+$/;

interface S3Fault extends Error {
  code?: unknown;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
}

/** Returns one line for the operator: the storage's own code and message, and what to do. */
export function describeS3Fault(error: unknown, bucket: string): string {
  const fault = (error instanceof AggregateError ? error.errors[0] : error) as S3Fault;
  const status = fault.$metadata?.httpStatusCode ?? fault.$response?.statusCode;
  const message = fault.message.split('\n', 1)[0] ?? '';
  if (status === undefined) return `存储桶 ${bucket} 连不上或中途断开（${message}）：请检查地址和网络`;
  if (NO_CODE.test(fault.name))
    return `存储桶 ${bucket} 的回答不是 S3 的（HTTP ${status}）：请检查地址，以及中间有没有代理`;
  const told = message === '' || message === fault.name ? '' : `（${message}）`;
  return `存储桶 ${bucket} 拒绝了：${fault.name}${told}。${ADVICE[fault.name] ?? '请按存储的说明处理'}`;
}
