/* glossary_sheet.h: the sheet with every word of the glossary; a click shows the word's place. */
#ifndef HEADLIGHT_APP_GLOSSARY_SHEET_H
#define HEADLIGHT_APP_GLOSSARY_SHEET_H

#include "app/app_state.h"

/* Open the sheet at a term of GLOSSARY. */
void glossary_open(App *app, int term);

void glossary_sheet_draw(App *app);

#endif
