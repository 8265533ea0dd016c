import { isCallError } from '../../client/call-error.ts';
import { isRefusedWith } from '../../client/is-refused-with.ts';
import { pictureProblem } from '../../client/picture.ts';
import type { OwnPicture, PictureUse } from '../../contract/calls/picture-calls.ts';
import { call, upload } from '../api.ts';
import { ask } from '../ask.ts';
import { pictureLane } from './picture-lane.ts';
import { askAndRemove } from '../removal.ts';
import { showError, showNotice, showRetry } from '../toasts.ts';
import { waitingText } from '../waiting-text.ts';

/** Whether the picture is in use and cannot be deleted; earlier versions do not count. */
const isUsed = ({ uses }: OwnPicture): boolean => uses.some(({ place }) => place !== 'version');

export const isReplaceable = ({ uses }: OwnPicture): boolean =>
  uses.some(({ place }) => place !== 'version' && place !== 'trash');

const isInHistory = ({ uses }: OwnPicture) => uses.some(({ place }) => place === 'version');
const HISTORY = '历史版本里还有，删除以后，恢复那些版本会看到一处空着的图片。';

/**
 * Deletes the unused ones of `pictures` after a confirmation and says how many stay.
 * @param settled called when some were deleted, or when the list on screen is out of date
 */
export async function deletePictures(pictures: readonly OwnPicture[], settled: () => void): Promise<void> {
  const chosen = pictures.filter((picture) => !isUsed(picture));
  const kept = pictures.length - chosen.length;
  if (chosen.length === 0) return showError(inUse(pictures));
  const names = chosen.map(({ name }) => name);
  const historic = chosen.filter(isInHistory).length;
  const parts = [
    '删除后不能恢复。',
    ...(historic > 0 ? [(chosen.length > 1 ? `其中 ${historic} 张` : '它') + HISTORY] : []),
    ...(kept > 0 ? [`选中的另外 ${kept} 张还在用，会留着。`] : []),
  ];
  await askAndRemove({
    title: `删除 ${chosen.length} 张图片？`,
    text: parts.join(''),
    notify: () => showNotice(`已删除 ${chosen.length} 张图片`),
    remove: () => deleteNamed(names, historic > 0),
    settled,
  });
}

async function deleteNamed(names: string[], from_history: boolean): Promise<void> {
  try {
    await call('pictureDelete', { names, from_history }, { quiet: true });
  } catch (error) {
    if (!isRefusedWith(error, 'PICTURE_IN_HISTORY')) {
      if (isCallError(error, 'refused')) showError(error.message);
      throw error;
    }
    const isAgreed = await ask({
      title: '还是删除？',
      text: `它${HISTORY}`,
      action: '删除',
      isDestructive: true,
    });
    if (!isAgreed) throw error;
    await call('pictureDelete', { names, from_history: true });
  }
}

const inUse = (pictures: readonly OwnPicture[]): string => {
  const titles = pictures.length === 1 ? pictures[0]?.uses.filter(({ place }) => place !== 'version') : [];
  const where = titles?.[0]
    ? `《${nameOf(titles[0])}》${titles.length > 1 ? `等 ${titles.length} 处` : ''}`
    : '';
  return where === ''
    ? `选中的 ${pictures.length} 张都还在用，先从用到的地方拿掉，再来删除`
    : `${where}还在用这张图片，先拿掉，再来删除`;
};

export const nameOf = ({ title }: Pick<PictureUse, 'title'>): string => title || '无标题';

/**
 * Uploads a picture that replaces `picture` everywhere in the author's content, and says how many places
 * changed and how many did not.
 * @param settled called when something has changed
 */
export async function replacePicture(picture: OwnPicture, file: File, settled: () => void): Promise<void> {
  const problem = pictureProblem(file);
  if (problem !== null) return showError(problem);
  try {
    const { url } = await pictureLane.run(() => upload(file, { quiet: true }));
    await putInstead(picture, url.slice(url.lastIndexOf('/') + 1), settled);
  } catch (error) {
    if (isCallError(error, 'signed-out')) return;
    showNotReplaced(error, () => replacePicture(picture, file, settled));
  }
}

const showNotReplaced = (error: unknown, retry: () => Promise<void>): void =>
  showRetry(`没有换成。${isCallError(error) ? error.message : ''}`, retry);

async function putInstead(picture: OwnPicture, by: string, settled: () => void): Promise<void> {
  try {
    const input = { name: picture.name, by };
    const { changed, pending = 0, problems } = await call('pictureReplace', input, { quiet: true });
    const [first] = problems;
    if (first)
      showError(
        `换了 ${changed} 处${waitingText(pending)}，还有 ${problems.length} 篇没有换成：《${nameOf(first)}》${first.problem}`,
      );
    else
      showNotice(
        changed === 0 ? '没有要换的地方了' : `已在 ${changed} 处换成新的图片${waitingText(pending)}`,
      );
  } catch (error) {
    if (isCallError(error, 'signed-out')) return;
    if (isCallError(error, 'refused')) showError(`没有换成。${error.message}`);
    // The new picture is already uploaded: only the replacement is retried.
    else showNotReplaced(error, () => putInstead(picture, by, settled));
  }
  settled();
}
