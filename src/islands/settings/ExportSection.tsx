import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Section } from '../ui/Section.tsx';
import { useOnce } from '../ui/use-once.ts';

export function ExportSection() {
  const [isBusy, once] = useOnce();
  if (!isOffered('exportBegin')) return null;
  const download = async () => {
    const { url } = await call('exportBegin', {});
    // A link makes the browser stream the download to disk, whatever its size.
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
    showNotice('开始下载，图片多时要等一会儿');
  };
  return (
    <Section id="export" title="导出">
      <p className="text-sm text-soft">
        把你的文章、草稿、私密文章、回收站、历史版本、专栏、图片和评论装进一个 zip。文章是带信息头的 Markdown
        文件，Hexo、Hugo、Jekyll、Astro 都能读，也能由站长原样导回墨页。
      </p>
      <button
        type="button"
        className="button-quiet mt-3 aria-disabled:(opacity-70 cursor-progress)"
        aria-disabled={isBusy}
        onClick={() => void once(download)}
      >
        {isBusy ? '正在准备…' : '下载我的内容'}
      </button>
    </Section>
  );
}
