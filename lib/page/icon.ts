/** The service's icon, as SVG. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#0a6152"/></svg>';

/** The icon as a data URL, which needs no request. */
export const iconUrl = `data:image/svg+xml,${encodeURIComponent(icon)}`;
