import type { ApiDocument, Method, Operation } from '../../lib/contract/openapi/document.ts';

export interface Place {
  method: Method;
  path: string;
}

/** All operations of a document with their places. */
export const operationsOf = ({
  paths,
}: Pick<ApiDocument, 'paths'>): { place: Place; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      place: { method: method.toUpperCase() as Method, path },
      operation,
    })),
  );
