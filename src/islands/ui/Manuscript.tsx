interface Props {
  text?: string;
  cells: number;
  size?: 'small' | 'large';
}

const SHEETS = {
  small: 'grid-flow-col w-max py-1 border-0 border-y border-solid border-line',
  large: 'grid-cols-5 gap-y-1 w-80',
};
const CELLS = { small: 'w-9 h-9', large: 'h-16 font-title text-[2rem] font-600' };

/**
 * Manuscript paper (稿纸) with one character of `text` per cell. It is decorative: repeat `text` elsewhere.
 */
export function Manuscript({ text = '', cells, size = 'small' }: Props) {
  const characters = Array.from(text);
  return (
    <div className={`grid max-w-full pl-px ${SHEETS[size]}`} aria-hidden="true">
      {Array.from({ length: Math.max(cells, characters.length) }, (_, index) => (
        <span
          key={index}
          className={`grid place-items-center ml--px border border-solid border-line leading-none ${CELLS[size]}`}
        >
          {characters[index]}
        </span>
      ))}
    </div>
  );
}
