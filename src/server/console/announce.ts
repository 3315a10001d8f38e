// What is said to those who listen to the page.

export function announce(text: string): void {
  const region = document.getElementById('told');
  if (region !== null) region.textContent = text;
}
