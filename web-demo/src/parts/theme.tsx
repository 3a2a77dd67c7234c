import { useEffect, useState } from 'react';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const KEY = 'theme';

function kept(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function ThemeButton() {
  const [theme, setTheme] = useState(kept);
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Storage that is switched off: the choice holds until the page is closed.
    }
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <button type="button" className="quiet theme" onClick={() => setTheme(next)} aria-label={`Colours: ${theme}. Change to ${next}.`} title={`Colours: ${theme}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d={theme === 'light' ? '' : theme === 'dark' ? 'M8 2.500a5.500 5.500 0 1 1 0 11a5.500 5.500 0 1 1 0-11' : 'M8 2.500a5.500 5.500 0 0 1 0 11z'} fill="currentColor" />
      </svg>
      <span className="only-wide">{theme}</span>
    </button>
  );
}
