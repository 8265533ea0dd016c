import { cancelUpload, retryUpload, type Upload } from '../../../lib/stores/pictures/uploads.ts';
import { TextButton } from '../Button.tsx';

export function UploadRow({ id, name, share, problem, mayRetry }: Upload) {
  const percent = Math.round(share * 100);
  return (
    <li className="flex flex-wrap items-center gap-x-4 min-h-11 text-sm">
      <bdi className="min-w-0 max-w-60 truncate">{name}</bdi>
      {problem === null ? (
        <>
          <progress className="w-32 h-1" value={percent} max={100} aria-label={`${name} 的上传进度`} />
          <span className="text-soft tabular-nums">{percent < 100 ? `${percent}%` : '处理中'}</span>
        </>
      ) : (
        <span role="alert" className="text-vermilion">
          {problem}
        </span>
      )}
      <span className="flex-1" />
      {problem !== null && mayRetry && (
        <TextButton aria-label={`重试上传 ${name}`} onClick={() => retryUpload(id)}>
          重试
        </TextButton>
      )}
      <TextButton
        aria-label={`${problem === null ? '取消上传' : '移除'} ${name}`}
        onClick={() => cancelUpload(id)}
      >
        {problem === null ? '取消' : '移除'}
      </TextButton>
    </li>
  );
}
