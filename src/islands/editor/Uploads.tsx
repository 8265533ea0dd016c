import { useStore } from '@nanostores/react';
import { $uploads } from '../../lib/stores/uploads.ts';
import { UploadRow } from '../ui/UploadRow.tsx';

/** Pictures on their way, and those that did not arrive, each with what can be done about it. */
export function Uploads() {
  const uploads = useStore($uploads);
  if (uploads.length === 0) return null;
  return (
    <ul role="list" aria-label="正在上传的图片" className="max-h-[30vh] overflow-y-auto">
      {uploads.map((each) => (
        <UploadRow key={each.id} {...each} />
      ))}
    </ul>
  );
}
