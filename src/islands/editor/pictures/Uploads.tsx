import { useStore } from '@nanostores/react';
import { $uploads, cancelUploads, retryUpload, type Upload } from '../../../lib/stores/pictures/uploads.ts';
import { UploadRow } from '../../ui/form/UploadRow.tsx';
import { TextButton } from '../../ui/Button.tsx';

/** Above this number, uploads are summarized instead of listed. */
const MAX_LISTED_UPLOADS = 5;

export function Uploads() {
  const uploads = useStore($uploads);
  if (uploads.length === 0) return null;
  return (
    <ul role="list" aria-label="正在上传的图片" className="max-h-[30vh] overflow-y-auto">
      {uploads.length > MAX_LISTED_UPLOADS ? (
        <Many uploads={uploads} />
      ) : (
        uploads.map((each) => <UploadRow key={each.id} {...each} />)
      )}
    </ul>
  );
}

function Many({ uploads }: { uploads: readonly Upload[] }) {
  const sending = uploads.filter(({ problem }) => problem === null);
  const reasons = Map.groupBy(
    uploads.filter(({ problem }) => problem !== null),
    ({ problem }) => problem ?? '',
  );
  return (
    <>
      {sending.length > 0 && (
        <li className="flex flex-wrap items-center gap-x-4 min-h-11 text-sm">
          <span className="tabular-nums">还有 {sending.length} 张图片在上传，可以接着写</span>
          <span className="flex-1" />
          <TextButton onClick={() => cancelUploads(idsOf(sending))}>全部取消</TextButton>
        </li>
      )}
      {[...reasons].map(([reason, some]) => (
        <Failed key={reason} reason={reason} uploads={some} />
      ))}
    </>
  );
}

function Failed({ reason, uploads }: { reason: string; uploads: readonly Upload[] }) {
  const again = uploads.filter(({ mayRetry }) => mayRetry);
  const [first] = uploads;
  return (
    <li className="flex flex-wrap items-center gap-x-4 min-h-11 text-sm">
      <span role="alert" className="flex-[1_1_15rem] min-w-0 text-vermilion">
        {uploads.length === 1 ? `《${first?.name ?? ''}》` : `${uploads.length} 张`}没有传上去：{reason}
      </span>
      {again.length > 0 && (
        <TextButton onClick={() => again.forEach(({ id }) => retryUpload(id))}>
          {again.length > 1 ? '全部重试' : '重试'}
        </TextButton>
      )}
      <TextButton onClick={() => cancelUploads(idsOf(uploads))}>
        {uploads.length > 1 ? '全部移除' : '移除'}
      </TextButton>
    </li>
  );
}

const idsOf = (uploads: readonly Upload[]) => uploads.map(({ id }) => id);
