// Light, dark, or as the system has it.
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark';
const themes: Theme[] = ['system', 'light', 'dark'];
const key = 'credence-theme';

function stored(): Theme {
  try {
    const name = localStorage.getItem(key) as Theme | null;
    return name && themes.includes(name) ? name : 'system';
  } catch {
    return 'system';
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

apply(stored());

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(stored);
  const next = (): void => {
    const following = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
    apply(following);
    try {
      localStorage.setItem(key, following);
    } catch {
      // A page from a file may have no storage: the switch then lasts as long as the page.
    }
    setTheme(following);
    dispatchEvent(new Event('themechange'));
  };
  return [theme, next];
}

/** Grows with every change of light and dark: canvases draw again. */
export function useThemeChanges(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const tell = (): void => setCount((n) => n + 1);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('themechange', tell);
    dark.addEventListener('change', tell);
    return () => {
      removeEventListener('themechange', tell);
      dark.removeEventListener('change', tell);
    };
  }, []);
  return count;
}
