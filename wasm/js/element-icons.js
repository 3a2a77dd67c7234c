// Line icons on a square of 16, by the names that calls have. One that is not here is drawn as the wrench of any tool.

const file = 'M4 2h5l3 3v9H4zM9 2v3h3';
const paths = {
  'file': file,
  'file-plus': `${file}M8 7.5v4M6 9.5h4`,
  'file-move': `${file}M6 9.5h4M8.5 8l1.5 1.5L8.5 11`,
  'pencil': 'M3 13l.8-3L10.6 3.2l2.2 2.2L6 12.2z',
  'trash': 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.7 8.5h5.6l.7-8.5',
  'folder': 'M2 4h4l1.5 1.5H14V13H2z',
  'search': 'M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8M10 10l3.5 3.5',
  'braces': 'M6 3c-3 0 0 5-3 5c3 0 0 5 3 5M10 3c3 0 0 5 3 5c-3 0 0 5-3 5',
  'terminal': 'M3 4l4 4l-4 4M8.5 12H13',
  'list-checks': 'M2.5 4.5l1 1l2-2M2.5 10.5l1 1l2-2M8 4.5h5.5M8 10.5h5.5',
  'globe': 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M2 8h12M8 2c-4 4-4 8 0 12c4-4 4-8 0-12',
  'download': 'M8 2.5v7.5M5 7l3 3l3-3M3 13h10',
  'activity': 'M2 8h3l2-5l2.5 10L11.5 8H14',
  'hourglass': 'M4.5 2.5h7M4.5 13.5h7M5 2.5c0 3 6 8 6 11M11 2.5c0 3-6 8-6 11',
  'square': 'M4 4h8v8H4z',
  'sparkles': 'M8 2l1.5 4.5L14 8l-4.5 1.5L8 14l-1.5-4.5L2 8l4.5-1.5z',
  'brain': 'M8 3v10M8 4c-2-2-5-.5-4.5 2c-2 1-1.5 4 .5 4.5c.5 2.5 3 2.5 4 1M8 4c2-2 5-.5 4.5 2c2 1 1.5 4-.5 4.5c-.5 2.5-3 2.5-4 1',
  'bot': 'M3 6h10v7H3zM8 6V3M6 9v1M10 9v1',
  'message': 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z',
  'map': 'M2.5 4l3.5-1.5l4 1.5l3.5-1.5V12L10 13.5L6 12l-3.5 1.5zM6 2.5V12M10 4v9.5',
  'help': 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M6.3 6.3c.3-2 3.4-1.7 3.2 0c-.1 1.1-1.5 1.2-1.5 2.5M8 11v.3',
  'image': 'M2.5 3.5h11v9h-11zM2.5 11l3-3l2.5 2.5L10.5 8l3 3M6 6v.1',
  'video': 'M2.5 4.5h7.5v7H2.5zM10 7l3.5-2v6L10 9',
  'rocket': 'M6 10c0-4 2-7 6.5-7.5C12 7 9 9.5 6 10zM6 10l-2 .5L3 12.5l2-.5M9.5 6v.1',
  'package': 'M2.5 5L8 2.5L13.5 5v6L8 13.5L2.5 11zM2.5 5L8 7.5L13.5 5M8 7.5v6',
  'target': 'M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12M8 5.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5',
  'workflow': 'M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v5h5',
  'wrench': 'M9.5 6.5a3.2 3.2 0 0 0 4-4L11.5 4.5l-1.5-.5l-.5-1.5l2-2M9.5 6.5L4 12a1.4 1.4 0 0 0 2 2l5.5-5.5',
};

const SVG = 'http://www.w3.org/2000/svg';

/** The icon of this name. It says nothing that the words beside it do not. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', Object.hasOwn(paths, name) ? paths[name] : paths.wrench);
  const look = { part: 'icon', viewBox: '0 0 16 16', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.25, 'stroke-linejoin': 'round', 'stroke-linecap': 'round', 'aria-hidden': 'true' };
  for (const [attribute, value] of Object.entries(look)) svg.setAttribute(attribute, value);
  svg.append(path);
  return svg;
}
