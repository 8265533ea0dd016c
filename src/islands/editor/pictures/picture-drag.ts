import { EditorView } from '@codemirror/view';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { movePicturesTo, type NotMoved } from '../commands/picture-order.ts';
import { currentPicture } from './picture-at-caret.ts';

/** Drag data type of the current picture. It carries no data that another page could use. */
export const PICTURE_DRAG = 'application/x-moye-picture';

export const NOT_MOVED: Record<NotMoved, string> = {
  inline: '这张图片和文字在同一段里，先让它自成一段，再移动',
  first: '已经在最前面了',
  last: '已经在最后面了',
};

const isPicture = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes(PICTURE_DRAG) ?? false;

export const pictureDrag = EditorView.domEventHandlers({
  dragover(event) {
    if (!isPicture(event)) return false;
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'move';
    // By default, only text can be dropped.
    event.preventDefault();
    return true;
  },
  drop(event, view) {
    if (!isPicture(event)) return false;
    event.preventDefault();
    const picture = currentPicture(view.state);
    if (!picture || view.composing) return true;
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
    const moved = movePicturesTo(view.state, picture, at);
    if (moved === 'inline') showNotice(NOT_MOVED.inline);
    else if (moved) view.dispatch(moved);
    return true;
  },
});
