import { loadInTime } from '../../ui/lazy.tsx';
import { showError, showNotice } from '../../../lib/stores/toasts.ts';

/** Error with a message for the author; messages of other errors are for developers. */
class Refused extends Error {
  override name = 'Refused';
}

/**
 * Copies an article in the format of 公众号 (WeChat) and shows the result. Must be called during a user
 * gesture: browsers accept content rendered later only for a copy that started then.
 */
export async function copyForWechat(content: string): Promise<void> {
  if (content.trim() === '') return showError('还没有正文可以复制');
  if (!('clipboard' in navigator) || !('ClipboardItem' in globalThis))
    return showError('这个浏览器不能复制排好的文章，换一个新一些的，或用 https 打开本站');
  const made = make(content);
  const part = (type: 'html' | 'text', mime: string) =>
    made.then((article) => new Blob([article[type]], { type: mime }));
  const item = new ClipboardItem({
    'text/html': part('html', 'text/html'),
    'text/plain': part('text', 'text/plain'),
  });
  try {
    await navigator.clipboard.write([item]);
    const { links, formulas } = await made;
    const notes = [
      formulas > 0 ? `；${formulas} 个公式那里画不出，写成了 TeX` : '',
      links > 0 ? `；${links} 个链接列在文末，那里不能点` : '',
    ];
    showNotice(`已复制，去公众号编辑器里粘贴${notes.join('')}`);
  } catch {
    const reason = await made.then(
      () => '浏览器不允许复制，请允许本站使用剪贴板，再试一次',
      (error: unknown) => (error instanceof Refused ? error.message : '文章没能排成公众号的样子'),
    );
    showError(reason);
  }
}

async function make(content: string) {
  const [apart, wechat] = await loadInTime(() =>
    Promise.all([import('../preview/render-apart.ts'), import('./to-wechat.ts')]),
  ).catch(() => {
    throw new Refused('这部分没有加载出来，可能是网络不稳，请再试一次');
  });
  const { render, close } = apart.renderApart();
  try {
    return wechat.toWechat(await render(content), location.origin);
  } catch (error) {
    throw error instanceof apart.NotRendered ? new Refused(error.message) : error;
  } finally {
    close();
  }
}
