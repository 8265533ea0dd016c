import { isRefusal, type RefusalCode } from '../../../../contract/rules/errors.ts';
import { answerRequests, lowerPriority } from '../../../jobs/answer-requests.ts';
import { parseCall, type RpcCall, type RpcInput } from './parse-call.ts';

export type Parsed = { call: RpcCall } | { refused: { code: RefusalCode; text: string } };

lowerPriority();

answerRequests(
  ({ bytes }: { bytes: Uint8Array }): Parsed => {
    try {
      return { call: parseCall(bytes) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { refused: { code: error.code, text: error.message } };
    }
  },
  (parsed) => ('call' in parsed ? parsed.call.params.flatMap(buffersIn) : []),
);

/** The files in a value. */
function buffersIn(value: RpcInput): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer];
  return typeof value === 'object' ? Object.values(value).flatMap(buffersIn) : [];
}
